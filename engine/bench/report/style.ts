/** The look of the page. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1a2027;--soft:#5a6572;--line:#d9dee4;--wash:#f4f6f8;--accent:#0b5cad;--danger:#b42318;--danger-wash:#fdecea;--warn:#8a5a00;--good:15,118,80;
--series-1:#0b62c4;--series-2:#c2410c;--series-3:#0f766e;--series-4:#7c3aed;--series-5:#946200;--series-6:#be185d}
@media (prefers-color-scheme:dark){:root{--paper:#12161b;--ink:#e6eaef;--soft:#9aa6b2;--line:#2c343d;--wash:#1a2027;--accent:#7db8ff;--danger:#ff8a80;--danger-wash:#3a1a18;--warn:#e3b341;--good:52,180,130;
--series-1:#6cb2ff;--series-2:#ff9a62;--series-3:#4fd1b5;--series-4:#b79cff;--series-5:#e3b341;--series-6:#ff8ac0}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{padding-top:40px}
h1{font-size:2rem;line-height:1.2;margin:0 0 8px}
h2{font-size:1.4rem;margin:56px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
h3{font-size:1.08rem;margin:32px 0 6px}
h4{font-size:1rem;margin:20px 0 6px}
p{max-width:75ch;margin:8px 0}
.lead{color:var(--soft)}
.note,.legend,caption,figcaption{color:var(--soft);font-size:.9rem}
a{color:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin:18px 0 0;padding:10px 0;border-top:1px solid var(--line);font-size:.95rem}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
.short{padding-left:20px;max-width:85ch}
.short li{margin:8px 0}
.danger{color:var(--danger)}
.scroll{overflow-x:auto;margin:14px 0}
table{border-collapse:collapse;font-size:.92rem}
caption{text-align:left;padding:0 0 6px}
th,td{padding:6px 12px;text-align:right;vertical-align:top;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{padding-left:0}
thead th{font-weight:600;color:var(--soft);border-bottom:2px solid var(--line);vertical-align:bottom;white-space:normal;min-width:4.6em}
th.name,tbody th{text-align:left;font-weight:500}
td small,th small{display:block;color:var(--soft);font-size:.78rem;font-weight:400}
.none{color:var(--soft)}
.others th[scope=rowgroup]{padding-top:14px;color:var(--soft);font-style:italic}
.others td,.others th[scope=row]{color:var(--soft)}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:12px 28px;margin:18px 0}
figure{margin:12px 0;break-inside:avoid}
figcaption{color:var(--ink);font-weight:600;margin-bottom:4px}
svg.chart{width:100%;height:auto;display:block;max-width:520px}
svg.wide{max-width:780px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--soft)}
svg text.row{fill:var(--ink)}
svg text.inside{fill:var(--paper);font-weight:600}
svg .grid{stroke:var(--line);stroke-width:1}
svg .apart{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4}
svg .rail{stroke:var(--line);stroke-width:3}
.legend{margin:2px 0 0;display:flex;flex-wrap:wrap;gap:2px 18px}
.legend i{font-style:normal}
.matrices{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:20px 28px;margin:14px 0}
.matrix{break-inside:avoid;border-collapse:separate;border-spacing:3px}
.matrix caption{color:var(--ink);font-weight:600}
.matrix th,.matrix td{border:0;padding:5px 6px;font-size:.85rem}
.matrix thead th{min-width:0;font-size:.78rem;text-align:center}.matrix thead th.name{text-align:left}
.matrix td{min-width:56px;text-align:center;border-radius:4px;background:var(--wash)}
.matrix td.zero{color:var(--soft);opacity:.65}
.matrix td.right{background:rgba(var(--good),calc(.12 + .3*var(--part)))}
.matrix td.up{outline:1px dashed var(--warn);outline-offset:-1px}
.matrix td.down{background:var(--danger-wash);color:var(--danger);font-weight:700;outline:2px solid var(--danger);outline-offset:-2px}
.matrix td.down span{font-size:.7em;margin-right:3px}
.key{padding:0 5px;border-radius:3px}
.key.down{color:var(--danger);outline:2px solid var(--danger);outline-offset:-2px}
.key.up{outline:1px dashed var(--warn)}
details{margin:12px 0;border:1px solid var(--line);border-radius:6px;padding:0 14px}
summary{cursor:pointer;padding:9px 0;font-weight:500}
details[open]{padding-bottom:10px}
article{background:var(--wash);border-radius:6px;padding:10px 14px;margin:8px 0;break-inside:avoid;position:relative}
dl{display:grid;grid-template-columns:7em 1fr;gap:4px 12px;margin:0;padding-right:5em}
dt{color:var(--soft);font-size:.9rem}
dd{margin:0}
.heard{color:var(--soft)}
.why{color:var(--soft);font-size:.9rem}
.id{position:absolute;right:12px;top:8px;margin:0;color:var(--soft);font-size:.78rem}
audio{height:32px;margin-top:4px;max-width:100%}
code{font-size:.85em;white-space:nowrap}.hashes code{white-space:normal;word-break:break-all}
.hashes td{white-space:normal;text-align:left}
footer{margin-top:56px;padding-bottom:40px;color:var(--soft);font-size:.9rem}
@media (max-width:560px){header,main,footer{padding:0 16px}dl{grid-template-columns:1fr;padding-right:0}.id{position:static}}
@page{margin:14mm}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#f4f4f4;--accent:#000;--danger:#b42318;--danger-wash:#fdecea;--warn:#8a5a00;--good:15,118,80;--series-1:#0b62c4;--series-2:#c2410c;--series-3:#0f766e;--series-4:#7c3aed;--series-5:#946200;--series-6:#be185d}
body{font-size:10.5pt}nav,audio{display:none}header,main,footer{max-width:none;padding:0}h2{margin-top:24px;break-after:avoid}h3,h4,figcaption,summary{break-after:avoid}.scroll{overflow:visible}tr{break-inside:avoid}thead{display:table-header-group}table{font-size:8.5pt}th,td{padding:3px 6px}td small,th small{font-size:.9em}details{border:0;padding:0}details::details-content{content-visibility:visible;block-size:auto}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
