/** Style of the exported page. Colours meet WCAG AA on their grounds in both schemes; nothing is told by colour alone. */
export const STYLE = `
:root{--paper:#fff;--ground:#f3f5f8;--ink:#171c26;--soft:#566173;--line:#dfe4eb;--tint:#f8fafc;--accent:#2457c5;
--CORRECT:#1b7a48;--HIGH:#a85a00;--CRITICAL:#c8232c;--EXTREME:#8a1a7d;--ERROR:#c8232c;--UNCERTAIN:#2b62b8;--OPEN:#5b6472;--OTHER:#7b8494;
--CORRECT-bg:#e4f4eb;--HIGH-bg:#fdf0dc;--CRITICAL-bg:#fde7e8;--EXTREME-bg:#f8e4f5;--ERROR-bg:#fde7e8;--UNCERTAIN-bg:#e5eefb;--OPEN-bg:#edf0f3;--OTHER-bg:#edf0f3}
@media (prefers-color-scheme:dark){:root{--paper:#161b24;--ground:#0e1219;--ink:#e7ebf2;--soft:#9aa6b8;--line:#2a3240;--tint:#1b212c;--accent:#8fb4ff;
--CORRECT:#5ccb8f;--HIGH:#f3b04b;--CRITICAL:#ff7b80;--EXTREME:#ef86e0;--ERROR:#ff7b80;--UNCERTAIN:#82b1ff;--OPEN:#aab4c3;--OTHER:#8791a1;
--CORRECT-bg:#12301f;--HIGH-bg:#37270c;--CRITICAL-bg:#3d1719;--EXTREME-bg:#381633;--ERROR-bg:#3d1719;--UNCERTAIN-bg:#162a49;--OPEN-bg:#232a36;--OTHER-bg:#232a36}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:1240px;padding:32px 28px 48px;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
h1,h2,p,ul,dl,dd,figure{margin:0}
.brand{font-size:13px;font-weight:700;letter-spacing:.02em;color:var(--accent)}
.brand span{font-weight:400;color:var(--soft)}
h1{font-size:29px;line-height:1.2;font-weight:700;letter-spacing:-.015em;margin:2px 0 12px;overflow-wrap:anywhere;unicode-bidi:isolate}
h2{font-size:18px;font-weight:700}
.facts{display:flex;flex-wrap:wrap;gap:6px 28px}
.facts dt{font-size:12px;color:var(--soft)}
.facts dd{font-weight:500;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.purpose{margin:18px 0;padding:9px 14px;border-left:4px solid var(--HIGH);background:var(--HIGH-bg);border-radius:4px;font-size:14px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:10px}
.tile{display:grid;grid-template-columns:auto 1fr;align-items:center;gap:0 10px;padding:12px 14px;background:var(--paper);border:1px solid var(--line);border-radius:10px}
.tile .shape{width:26px;height:26px;grid-row:span 2}
.tile b{font-size:24px;line-height:1.1;font-variant-numeric:tabular-nums;color:var(--ink)}
.tile span{font-size:13px;color:var(--soft)}
.tile.zero .shape,.tile.zero b{opacity:.35}
.CORRECT{color:var(--CORRECT)}.HIGH{color:var(--HIGH)}.CRITICAL{color:var(--CRITICAL)}.EXTREME{color:var(--EXTREME)}.ERROR{color:var(--ERROR)}.UNCERTAIN{color:var(--UNCERTAIN)}.OPEN{color:var(--OPEN)}.OTHER{color:var(--OTHER)}
.shape{width:16px;height:16px;flex:none}
.shapes{position:absolute;width:0;height:0}
.timeline{margin-top:10px;padding:8px 12px 2px;background:var(--paper);border:1px solid var(--line);border-radius:10px;overflow-x:auto}
.timeline svg{display:block;width:100%;min-width:640px;height:auto}
.timeline .lane{stroke:var(--line);stroke-width:2}
.timeline text{font-size:11.5px;fill:var(--soft)}
.timeline .tick{text-anchor:middle;font-variant-numeric:tabular-nums}
.banner{margin-top:10px;padding:9px 14px;background:var(--UNCERTAIN-bg);border-left:4px solid var(--UNCERTAIN);border-radius:4px;font-size:14px}
.bar{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:8px 24px;margin:28px 0 10px}
.filter{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:4px 16px;font-size:14px}
.filter legend{float:left;margin-right:12px;color:var(--soft);padding:0}
.filter label{cursor:pointer}
.filter input{accent-color:var(--accent);margin:0 4px 0 0}
body:has(#flagged:checked) tr.calm{display:none}
table{border-collapse:separate;border-spacing:0;width:100%;background:var(--paper);border:1px solid var(--line);border-radius:10px}
thead th{text-align:left;font-size:12.5px;font-weight:600;color:var(--soft);padding:9px 16px;border-bottom:1px solid var(--line)}
.exchanges{table-layout:fixed}
.exchanges thead th:nth-child(1){width:138px}.exchanges thead th:nth-child(3){width:36%}
tbody>tr>*{padding:16px;vertical-align:top;border-bottom:1px solid var(--line);color:var(--ink)}
tbody>tr:last-child>*{border-bottom:0}
tbody th{text-align:left;font-weight:400;box-shadow:inset 5px 0 0 var(--edge,transparent)}
tbody tr:last-child th{border-bottom-left-radius:9px}
tr.HIGH{--edge:var(--HIGH)}tr.CRITICAL{--edge:var(--CRITICAL)}tr.EXTREME{--edge:var(--EXTREME)}tr.ERROR{--edge:var(--ERROR)}tr.UNCERTAIN{--edge:var(--UNCERTAIN)}tr.OPEN{--edge:var(--OPEN)}
tr:target>*{background:var(--tint)}
tbody th>*{display:block}
.number{float:right;color:var(--soft);text-decoration:none;font-size:13px;font-variant-numeric:tabular-nums}
.when{font-variant-numeric:tabular-nums;color:var(--soft);font-size:14px}
.callsign{font-weight:700;font-size:16px;letter-spacing:.01em;overflow-wrap:anywhere}
.turn{display:grid;grid-template-columns:92px minmax(0,1fr) auto;gap:0 14px;align-items:start}
.turn+.turn{margin-top:14px}
.who b{display:block;font-size:13px;font-weight:600;line-height:24px}
.time{display:block;font-size:12px;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
td.time{font-size:13px}
.words{font-size:16.5px;line-height:24px;overflow-wrap:anywhere;unicode-bidi:isolate;white-space:pre-line}
.words.none{color:var(--soft);font-style:italic}
.aside{font-size:13px;color:var(--soft);margin-top:3px;unicode-bidi:isolate}
.machine{color:var(--ink)}
audio{display:block;height:30px;width:112px;color-scheme:light dark}
.lines audio{margin-top:4px}
.again{font-size:13px;color:var(--accent)}
mark{background:none;color:inherit;border-radius:3px;padding:0 2px;margin:0 -1px;-webkit-box-decoration-break:clone;box-decoration-break:clone}
mark.m-wrong,.got.m-wrong{background:var(--CRITICAL-bg);color:var(--CRITICAL);font-weight:650}
mark.m-wrong{text-decoration:underline wavy 1.5px;text-underline-offset:4px;text-decoration-skip-ink:none}
mark.m-missing{outline:1.6px dashed var(--CRITICAL);outline-offset:0;color:var(--CRITICAL);font-weight:650}
.got.m-missing{color:var(--CRITICAL);font-weight:650}
mark.m-added{background:var(--HIGH-bg);color:var(--HIGH);text-decoration:underline dotted 2px;text-underline-offset:4px}
mark.m-unit-changed{background:var(--HIGH-bg);color:var(--HIGH);text-decoration:underline double 1.5px;text-underline-offset:3px}
.got.m-added,.got.m-unit-changed{color:var(--HIGH);font-weight:650}
mark.m-uncertain{background:var(--UNCERTAIN-bg);color:var(--UNCERTAIN);text-decoration:underline dashed 1.5px;text-underline-offset:4px}
.got.m-uncertain{color:var(--UNCERTAIN);font-weight:650}
mark.m-right{text-decoration:underline 1.5px var(--CORRECT);text-underline-offset:5px}
.verdict{display:flex;flex-wrap:wrap;align-items:center;gap:6px 10px;margin-bottom:7px}
.badge{display:inline-flex;align-items:center;gap:7px;padding:3px 11px 3px 7px;border-radius:99px;font-weight:700;font-size:14px;line-height:22px;white-space:nowrap;--paper:var(--chip)}
.badge.CORRECT{background:var(--chip);--chip:var(--CORRECT-bg)}.badge.HIGH{background:var(--chip);--chip:var(--HIGH-bg)}.badge.CRITICAL{background:var(--chip);--chip:var(--CRITICAL-bg)}.badge.EXTREME{background:var(--chip);--chip:var(--EXTREME-bg)}.badge.ERROR{background:var(--chip);--chip:var(--ERROR-bg)}.badge.UNCERTAIN{background:var(--chip);--chip:var(--UNCERTAIN-bg)}.badge.OPEN{background:var(--chip);--chip:var(--OPEN-bg)}.badge.OTHER{background:var(--chip);--chip:var(--OTHER-bg)}
.aside .badge{font-size:12px;line-height:18px;padding:1px 8px 1px 5px;gap:5px}.aside .badge .shape{width:13px;height:13px}
.kind{font-size:13.5px;color:var(--soft)}
code{font:12.5px/1.4 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;color:var(--ink)}
.why{text-wrap:pretty}
.overruled{opacity:.8;font-size:14px}
.slots,.doubts,.advice{padding:0;list-style:none;margin-top:7px;font-size:14px}
.slots li{display:flex;flex-wrap:wrap;gap:0 7px;align-items:baseline;padding:3px 0}
.slot{min-width:76px;color:var(--soft)}
.value{font-weight:600;font-variant-numeric:tabular-nums;padding:0 3px;border-radius:3px}
.arrow{color:var(--soft)}
.doubts li,.advice li{position:relative;padding-left:18px}
.doubts li::before{content:"?";position:absolute;left:3px;font-weight:700;color:var(--UNCERTAIN)}
.advice li::before{content:"i";position:absolute;left:5px;font-weight:700;font-style:italic;color:var(--soft)}
.doubt{color:var(--UNCERTAIN)}
.alert{margin-top:6px;font-weight:600}
.review{margin:2px 0 9px;padding:9px 12px;border:1px solid var(--line);border-radius:8px;background:var(--tint)}
.note{margin-top:2px;white-space:pre-line;unicode-bidi:isolate;overflow-wrap:anywhere}
.note::before{content:"“"}.note::after{content:"”"}
.quiet{color:var(--soft);font-size:13px}
.small{font-size:12.5px;margin-top:6px}
.legend{margin:12px 2px 0;font-size:13.5px;color:var(--soft);display:flex;flex-wrap:wrap;gap:4px 16px}
.legend b{font-weight:600}
details{margin-top:28px}
summary{cursor:pointer;font-size:18px;font-weight:700;margin-bottom:10px}
.lines tbody td{padding:8px 16px}
.lines .words{font-size:15px}
.lines th:nth-child(1){width:90px}
footer{margin-top:28px;padding-top:14px;border-top:1px solid var(--line);font-size:13px;color:var(--soft);max-width:80ch}
a:focus-visible,input:focus-visible,summary:focus-visible,audio:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
@media screen and (max-width:820px){body{padding:20px 14px 40px}
.exchanges,.exchanges tbody,.exchanges tr,.exchanges td,.exchanges tbody th{display:block;width:100%}
.exchanges thead{display:none}
.exchanges tbody>tr>*{border-bottom:0;padding:12px 16px}
.exchanges tbody>tr{border-bottom:1px solid var(--line)}
.exchanges tbody>tr>*+*{padding-top:0}
.exchanges tbody tr{box-shadow:inset 5px 0 0 var(--edge,transparent)}.exchanges tbody th{box-shadow:none}
.when,.callsign{display:inline-block!important;margin-right:10px}}
@media screen and (max-width:520px){.turn{grid-template-columns:minmax(0,1fr) auto}.who{grid-column:1/-1;display:flex;gap:10px;align-items:baseline}}
@media print{:root{color-scheme:light;--paper:#fff;--ground:#fff;--ink:#000;--soft:#444;--line:#c9cfd8;--tint:#fff;--accent:#000;
--CORRECT:#1b7a48;--HIGH:#a85a00;--CRITICAL:#b81d26;--EXTREME:#7d1671;--ERROR:#b81d26;--UNCERTAIN:#2456a5;--OPEN:#4d5562;--OTHER:#6b7484;
--CORRECT-bg:#e4f4eb;--HIGH-bg:#fdf0dc;--CRITICAL-bg:#fde7e8;--EXTREME-bg:#f8e4f5;--ERROR-bg:#fde7e8;--UNCERTAIN-bg:#e5eefb;--OPEN-bg:#edf0f3;--OTHER-bg:#edf0f3}
@page{margin:14mm 12mm}
body{max-width:none;padding:0;font-size:9pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
h1{font-size:16pt}.words{font-size:9.5pt;line-height:1.5}.badge,.slots,.doubts,.advice,.overruled,.purpose,.banner{font-size:8.5pt}.callsign{font-size:10pt}.aside,.quiet,.small,.kind,code{font-size:7.5pt}.who b{line-height:1.4}
.no-print,details{display:none!important}
.tiles{grid-template-columns:repeat(8,auto);gap:6px}.tile{padding:6px 9px}.tile b{font-size:14pt}.tile .shape{width:18px;height:18px}.tile span{font-size:8pt}
.exchanges thead th:nth-child(1){width:96px}.exchanges thead th:nth-child(3){width:37%}.turn{grid-template-columns:76px minmax(0,1fr)}.time{font-size:7.5pt}
tbody>tr>*{padding:8px 10px}.turn+.turn{margin-top:7px}
tr,.tile,.purpose,.timeline{break-inside:avoid}thead{display:table-header-group}h2{break-after:avoid}}
`;
