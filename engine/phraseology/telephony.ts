/**
 * Telephony designators ("lufthansa") and ICAO three-letter designators ("DLH"), both ways.
 */
import { OPENFLIGHTS_TELEPHONY } from './telephony-data.js';

/**
 * Additions and corrections from general knowledge of the field. The first name of a code is its telephony designator, the others are
 * what crews and recognisers make of it.
 */
const OWN =
  'AAL=american;AAR=asiana;AAY=allegiant;ABR=contract;ABW=airbridge cargo;ACA=air canada|aircanada;ADR=adria;AEA=europa|air europa;AEE=aegean;AFL=aeroflot;COA=continental;NWA=northwest;TWA=twa|trans world;PAA=clipper|pan am;EAL=eastern;SAB=sabena;HLF=hapag lloyd|hapag;MAH=malev;BRA=braathens;AFR=airfrans|air france|airfrance;' +
  'AHY=azal;AIC=air india|airindia;AJT=amerijet;ALK=srilankan|sri lankan;AMX=aeromexico|aero mexico;ANA=all nippon;ANE=air nostrum;ANZ=new zealand;ASA=alaska;ASH=air shuttle;ASL=air serbia;AUA=austrian;' +
  'AUI=ukraine international;AVA=avianca;AWE=cactus;AXB=express india;AXY=legend;AZA=alitalia;AZU=azul;ITY=itarrow|ita arrow;BAF=belgian air force;BAW=speedbird;SHT=shuttle;BCS=eurotrans;BEE=jersey;BEL=beeline|bee line;' +
  'BER=air berlin;BLA=all charter;BMR=midland;BOX=german cargo;BPA=blue panorama;BRU=belarus avia|belavia;BTI=air baltic|airbaltic;BUC=bulgarian charter;CAI=corendon;CAL=dynasty;CAO=airchina freight|air china freight;' +
  'CCA=air china|airchina;CEF=czech air force;CES=china eastern;CFE=flyer;CFG=condor;CHH=hainan;CJT=cargojet;CKK=cargo king;CKS=connie|kalitta;CLG=chalair;CLH=hansaline;CLX=cargolux;CMB=camber;CMP=copa;CND=dutch corendon;' +
  'CPA=cathay;CQH=air spring;CRK=bauhinia;CRL=corsair;CSA=csa|csa lines|c s a;CSC=si chuan|sichuan;CSH=shanghai air;CSN=china southern;CSZ=shenzhen air;CTM=cotam;CTN=croatia;CXA=xiamen air;CYP=cyprus;CXI=corendon europe;' +
  'DAH=air algerie;DAL=delta;DHK=world express;DLA=dolomiti;DLH=lufthansa;DNU=danu;EAT=trans europe|transeurope;EDW=edelweiss;EFW=griffin;EIN=shamrock;EJA=execjet;EJM=jet speed;EJU=alpine|easy europe;ELY=el al|elal;' +
  'ENT=enter;ENY=envoy;ETD=etihad;ETH=ethiopian;EVA=eva;EWG=eurowings;EWE=eurowings europe;EXS=channex;EZS=topswiss|top swiss|alpine swiss;EZY=easy|easyjet|easy jet;FAF=french air force;FCK=nav checker|navchecker;FDB=skydubai|sky dubai;FDX=fedex;' +
  'FFT=frontier flight|frontier;FHY=freebird;FIN=finnair;FLI=faroeline;FPO=french post;FYG=flying group;GAF=german air force;GEC=lufthansa cargo;GES=gestair;GFA=gulf air;' +
  'GIA=indonesia|garuda;GMI=germania;GSW=arrow jet;GTI=giant;GWI=german wings|germanwings;GXL=starway;HAL=hawaiian;HUF=hungarian air force;HVN=vietnam airlines|viet nam airlines|vietnam;IAM=italian air force;IBE=iberia;' +
  'IBS=iberexpress|iber express;IBK=nortrans;ICE=iceair|ice air;IFA=red angel;IGO=ifly;IRA=iran air|iranair;ISR=israir;JAF=beauty;JAL=japanair|japan air;JBU=jetblue|jet blue;JEF=jetflite;JFA=mosquito;JIA=blue streak|bluestreak;' +
  'JST=jetstar;JTL=jet linx|jetlinx;JZA=jazz;JZR=jazeera;KAC=kuwaiti;KAL=korean air|koreanair;KLC=city;KLM=klm|k l m;KQA=kenya;LAN=lan chile|lan;LBT=nouvelair;LGL=luxair;LLM=yamal;LNI=lion inter;LOT=lot|pollot;' +
  'LXJ=flexjet;LZB=flying bulgaria;MAS=malaysian;MAU=air mauritius;MAY=blue med;MEA=cedar jet;MGL=mongol air;MLD=air moldova;MNB=black sea;MPH=martinair;MSR=egyptair|egypt air;NAF=netherlands air force;NAX=norshuttle|nor shuttle|north shuttle;' +
  'NFA=north flying;NJE=fraction;NKS=spirit wings|spirit;NLY=flyniki|niki;NOS=moonflower;NOZ=nordic;NRS=longship;NSZ=rednose|red nose|norshuttle;OAL=olympic;OAW=helvetic;OMA=oman air;PAL=philippine;PGT=sunturk|sun turk;PIA=pakistan;' +
  'PLF=polish air force;POE=porter;QFA=qantas;QTR=qatari|qatar;RAM=royalair maroc|royal air maroc|royal maroc;RCH=reach;RJA=jordanian;ROT=tarom;RPA=brickyard;RRR=ascot;RUK=bluemax|blue max;RYR=ryanair|ryan air;' +
  'RYS=magic sun;SAA=springbok;SAS=scandinavian;SAZ=swiss ambulance;SBI=siberian|siberian airlines;SDM=russia;SIA=singapore;SKW=skywest|sky west;SQC=singcargo|sing cargo;SRN=sprintair;' +
  'SUI=swiss air force;SVA=saudia|saudi;SWA=southwest;SWR=swiss|swissair|swiss air;SWG=sunwing;SXS=sunexpress|sun express;SXD=sunrise;SYR=syrianair;TAM=tam;TAP=air portugal|tap portugal|tap|portugal;TAR=tunair|tunis air;TAY=quality;TFL=orange;' +
  'THA=thai;THY=turkish|turkair;TIE=time air;TOM=tomjet|thomson;TRA=transavia|trans avia;TSC=transat|air transat;TUI=tuijet|tui jet;TVF=france soleil;TVS=skytravel|sky travel;TWI=tailwind;TKJ=anadolu;UAE=emirates;UAL=united;' +
  'UPS=ups|u p s;USA=u s air|usair|us air;UZB=uzbek;VIR=virgin;VJT=vista jet|vistajet|vista;VKG=viking;VLG=vueling;VOE=volotea;VOI=volaris;VOZ=velocity;VRD=redwood;WIF=wideroe|wideroes;WJA=westjet|west jet;WUK=wizz go|wizzgo;' +
  'WZZ=wizz air|wizzair|wizz;XAX=xanadu;FLG=flagship;EDV=endeavor;GJS=lindbergh;ASQ=acey;UCA=commutair;PDT=piedmont;SCX=sun country;SWQ=swift flight;MXY=moxy;CPZ=compass;LOF=waterski;TCX=kestrel;EGF=eagle flight;' +
  'PAT=pat;NVY=navy|royal navy;HKE=hongkong shuttle|hong kong shuttle;TTW=smart cat|tigerair;CEB=cebu;APJ=air peach;TWB=tway air|tway;JNA=jin air;JJA=jeju air|jejuair;ESR=eastar;ABL=air busan;' +
  'ASV=air seoul;AIJ=abc aerolineas;VIV=aeroenlaces;LPE=lan peru;AEH=aerocutter;PTI=privatair;MMD=mermaid;DTR=danish;GDK=goldeck flug;SIO=sirio;TYW=tyrol ambulance;FTL=flightline;LWG=luxwing;GAC=dream team;' +
  'LEA=leadair;EXU=executive;PWF=private wings|privatewings;ADN=aero dienst|aerodienst;QGA=quadriga;DCS=twin star;MAC=arabia maroc;ABY=arabia;AJI=ameristar;' +
  'PEA=pan europeenne;SUA=silesia;HHN=roedeer;AHO=air hamburg;LMJ=masterjet;AUT=austral;ICV=cargolux italia;NPT=neptune;SVR=sverdlovsk air;STK=stobart;EFA=far eastern;' +
  'EAI=emerald;UBD=united bangladesh;AFG=ariana;IAW=iraqi;IYE=yemeni;AZW=air zimbabwe;NMB=namibia;TGZ=tamazi;GLO=gol transporte|gol;ARG=argentina|aerolineas;MXA=mexicana;CUB=cubana;TPA=tampa;NCA=nippon cargo;' +
  'ABX=abex;ATN=air transport;PAC=polar;WGN=western global;SOO=southern air;MPD=red comet;EVE=evelop;PLM=pullman;KZR=astanaline;' +
  'LEU=lauda europe;LDM=laudamotion;LDA=lauda air;TYR=tyrolean;OLT=oltra;WHT=white jet;DRU=mirny;ENZ=enzo;AMC=air malta;KMM=skyknight;ATV=avanti;WAZ=wizz sky|wizzsky;WMT=wizz malta|wizzmalta;WVL=wizzbul;WAU=wizzair ukraine';

const code2names = new Map<string, string[]>();
const name2codes = new Map<string, string[]>();
/** First word of a telephony name → names (as word lists, longest first). */
const byHead = new Map<string, (readonly string[])[]>();

/** Telephony names that are everyday words of radio talk: only a traffic list may bring them up. */
const TOO_COMMON: ReadonlySet<string> = new Set([
  'base', 'sharp', 'link', 'orange', 'rainbow', 'ruby', 'swallow', 'pacific', 'world', 'enter', 'imperial', 'relax', 'comfort express', 'orbit', 'click air', 'raw', 'link', 'hammer', 'county',
  'national', 'express', 'trip', 'wings', 'click', 'til', 'sol', 'baby', 'commercial', 'executive', 'going', 'cap', 'cal', 'city', 'golden', 'freedom', 'origin', 'precision air',
  'medals', 'expo', 'unity', 'air', 'jet', 'district', 'maple', 'stallion', 'glory', 'elegant', 'eagles', 'pat', 'way',
]);

function add(code: string, name: string, preferred: boolean): void {
  const names = code2names.get(code) ?? [];
  if (!names.includes(name)) names.push(name);
  code2names.set(code, names);
  const codes = name2codes.get(name) ?? [];
  if (!codes.includes(code)) {
    if (preferred) codes.unshift(code);
    else codes.push(code);
  }
  if (!name2codes.has(name)) {
    const parts = name.split(' ');
    const [head = ''] = parts;
    const list = byHead.get(head) ?? [];
    list.push(parts);
    byHead.set(head, list);
  }
  name2codes.set(name, codes);
}

for (const [table, preferred] of [
  [OWN, true],
  [OPENFLIGHTS_TELEPHONY, false],
] as const) {
  for (const entry of table.split(';')) {
    const [code = '', names = ''] = entry.split('=');
    if (!/^[A-Z]{3}$/u.test(code)) continue;
    for (const name of names.split('|')) if (/^[a-z][a-z ]+$/u.test(name)) add(code, name, preferred && !code2names.has(code));
  }
}
for (const list of byHead.values()) list.sort((a, b) => b.length - a.length);

/** Telephony designator of an ICAO airline code ("DLH" → "lufthansa"), or undefined. */
export const telephonyOf = (code: string): string | undefined => code2names.get(code)?.[0];

/** All names under which a code is heard. */
export const telephonyNames = (code: string): readonly string[] => code2names.get(code) ?? [];

/** Every telephony name that stands for an operator by itself, as one says it: "red nose"; everyday words are left out. */
export const operatorNames = (): string[] => [...name2codes.keys()].filter((name) => !TOO_COMMON.has(name));

/** ICAO codes of a telephony name ("lufthansa" → ["DLH"]), the likeliest first; empty when it is unknown. */
export const designatorsOf = (name: string): readonly string[] => name2codes.get(name) ?? [];

/** A telephony name that starts at a word, longest first. `common`: also names that are everyday words. */
export function telephonyAt(words: readonly string[], at: number, common = false): { readonly name: string; readonly to: number } | undefined {
  const head = words[at];
  if (head === undefined) return undefined;
  for (const parts of byHead.get(head) ?? []) {
    if (!parts.every((part, offset) => words[at + offset] === part)) continue;
    const name = parts.join(' ');
    if (!common && TOO_COMMON.has(name)) continue;
    return { name, to: at + parts.length };
  }
  // recognisers split what is one word: "euro wings"
  const next = words[at + 1];
  if (next !== undefined && /^[a-z]{2,}$/u.test(next) && name2codes.has(head + next) && !TOO_COMMON.has(head + next)) return { name: head + next, to: at + 2 };
  return undefined;
}
