/**
 * Closed word lists of radio talk. Sources: ICAO Doc 4444 §12, Annex 10 vol. II §5.2.1 (alphabet and digits), FAA JO 7110.65.
 */

/** Spoken digits with their radio forms (Annex 10 vol. II §5.2.1.4.3) and common recogniser spellings. */
export const DIGIT_WORDS: ReadonlyMap<string, string> = new Map([
  ['zero', '0'], ['oh', '0'], ['zeero', '0'], ['nought', '0'], ['one', '1'], ['wun', '1'], ['two', '2'], ['three', '3'], ['tree', '3'], ['thre', '3'],
  ['four', '4'], ['fower', '4'], ['five', '5'], ['fife', '5'], ['six', '6'], ['seven', '7'], ['eight', '8'], ['ait', '8'], ['nine', '9'], ['niner', '9'],
  ['nineth', '9'],
]);

export const TEEN_WORDS: ReadonlyMap<string, string> = new Map([
  ['ten', '10'], ['eleven', '11'], ['twelve', '12'], ['thirteen', '13'], ['fourteen', '14'], ['fifteen', '15'], ['sixteen', '16'], ['seventeen', '17'],
  ['eighteen', '18'], ['nineteen', '19'],
]);

export const TENS_WORDS: ReadonlyMap<string, string> = new Map([
  ['twenty', '2'], ['thirty', '3'], ['forty', '4'], ['fourty', '4'], ['fifty', '5'], ['sixty', '6'], ['seventy', '7'], ['eighty', '8'], ['ninety', '9'],
]);

export const DECIMAL_WORDS: ReadonlySet<string> = new Set(['decimal', 'point', 'dayseemal', 'decimals', 'desimal', 'dot', 'comma']);

/** The radiotelephony alphabet, with the spellings that transcribers and recognisers use. */
export const LETTER_WORDS: ReadonlyMap<string, string> = new Map([
  ['alfa', 'A'], ['alpha', 'A'], ['bravo', 'B'], ['charlie', 'C'], ['charly', 'C'], ['delta', 'D'], ['echo', 'E'], ['foxtrot', 'F'], ['fox', 'F'], ['golf', 'G'],
  ['gulf', 'G'], ['hotel', 'H'], ['india', 'I'], ['juliett', 'J'], ['juliet', 'J'], ['juliette', 'J'], ['kilo', 'K'], ['lima', 'L'], ['mike', 'M'],
  ['november', 'N'], ['oscar', 'O'], ['oskar', 'O'], ['papa', 'P'], ['quebec', 'Q'], ['quebeck', 'Q'], ['romeo', 'R'], ['sierra', 'S'], ['tango', 'T'],
  ['uniform', 'U'], ['victor', 'V'], ['viktor', 'V'], ['whiskey', 'W'], ['whisky', 'W'], ['xray', 'X'], ['yankee', 'Y'], ['zulu', 'Z'],
]);

/** Alphabet words by letter, ICAO spelling. */
export const LETTER_NAMES: Readonly<Record<string, string>> = {
  A: 'alfa', B: 'bravo', C: 'charlie', D: 'delta', E: 'echo', F: 'foxtrot', G: 'golf', H: 'hotel', I: 'india', J: 'juliett', K: 'kilo', L: 'lima', M: 'mike',
  N: 'november', O: 'oscar', P: 'papa', Q: 'quebec', R: 'romeo', S: 'sierra', T: 'tango', U: 'uniform', V: 'victor', W: 'whiskey', X: 'xray', Y: 'yankee',
  Z: 'zulu',
};

export const DIGIT_NAMES = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;

/** Hesitations: no meaning, never part of a value (000, C.1). */
export const HESITATIONS: ReadonlySet<string> = new Set([
  'uh', 'um', 'er', 'erm', 'eh', 'ehm', 'ah', 'ahm', 'hm', 'hmm', 'mm', 'uhm', 'aah', 'euh', 'eeh', 'ahh', 'uhh', 'umm', 'äh', 'ähm', 'hes', 'unk', 'ukn', 'xt', 'noise',
  'breath', 'ne', 'spk', 'int',
]);

/** Phrases that greet, thank or take leave; label O. Longest first at load. */
export const GREETING_PHRASES: readonly string[] = [
  'good day', 'good morning', 'good afternoon', 'good evening', 'good night', 'good bye', 'goodbye', 'bye bye', 'bye', 'byebye', 'hello', 'hello again', 'hi',
  'hallo', 'hullo', 'hey', 'morning', 'thank you', 'thank you very much', 'thanks', 'thanks a lot', 'thank you sir', 'thank you madam', 'have a nice day',
  'have a good day', 'have a good one', 'have a nice evening', 'have a nice flight', 'have a good flight', 'good flight', 'nice day', 'nice flight', 'see you',
  'see you later', 'talk to you later', 'cheers', 'cheerio', 'so long', 'ciao', 'servus', 'tschuss', 'tschüss', 'gruezi', 'grüezi', 'grutzi', 'grutlzi', 'guten morgen',
  'guten tag', 'guten abend', 'auf wiedersehen', 'danke', 'danke schon', 'bonjour', 'bonsoir', 'au revoir', 'aurevoir', 'a toute', "a toute a l'heure", 'merci',
  'bonne journee', 'bonne soiree', 'bonne nuit', 'monsieur', 'madame', 'dobry den', 'dobre rano', 'dobry vecer', 'dobre odpoledne', 'dobre dopoledne',
  'dobry podvecer', 'pekny den', 'hezky den', 'hezky vecer', 'nashledanou', 'na shledanou', 'naslysenou', 'ahoj', 'diky', 'dekuji', 'dzien dobry', 'dobry wieczor',
  'do widzenia', 'buongiorno', 'buon giorno', 'buona sera', 'buonasera', 'arrivederci', 'grazie', 'hola', 'buenos dias', 'buenas tardes', 'buenas noches',
  'adios', 'gracias', 'ola', 'bom dia', 'boa tarde', 'boa noite', 'obrigado', 'hej', 'hej hej', 'god dag', 'moi', 'schone abig', 'schone', 'bis spater',
  'schonen tag', 'schonen abend', 'schone namittag', 'merhaba', 'iyi gunler', 'kalimera', 'kalispera', 'pleasure', 'welcome', 'my pleasure',
  // Dutch, Low German, Nordic, Baltic, Finnic
  'moin', 'moin moin', 'goedemorgen', 'goedemiddag', 'goedenavond', 'goedendag', 'goeie morgen', 'dank u', 'dank je', 'tot ziens', 'fijne dag', 'doei', 'hei', 'hei hei', 'heisann', 'god morgen', 'god kveld', 'god aften', 'god kvall', 'god natt',
  'ha det', 'ha det bra', 'hej da', 'farvel', 'tack tack', 'tusen takk', 'takk', 'takk for det', 'mange tak', 'vi ses', 'terve', 'moikka', 'moi moi', 'huomenta', 'hyvaa paivaa', 'hyvaa iltaa', 'kiitos', 'nakemiin', 'tere', 'tere hommikust',
  'tere paevast', 'tere ohtust', 'aitah', 'head aega', 'nagemist', 'labas', 'laba diena', 'labas rytas', 'labas vakaras', 'aciu', 'viso gero', 'labdien', 'labrit', 'labvakar', 'paldies', 'visu labu', 'sveiki', 'godan daginn',
  // Slavic, Hungarian, Romanian, Greek, Albanian
  'czesc', 'dziekuje', 'milego dnia', 'do zobaczenia', 'dobry dien', 'dobra noc', 'dovidenia', 'dakujem', 'dobar dan', 'dobro jutro', 'dobro vece', 'dobra vecer', 'dober dan', 'laku noc', 'hvala', 'hvala lepa', 'dovidjenja', 'dovidenja', 'nasvidenje', 'zdravo',
  'dobar den', 'dobro utro', 'dobur den', 'blagodaria', 'dovizhdane', 'zdravstvuyte', 'dobriy den', 'dobriy vecher', 'dobroye utro', 'do svidaniya', 'do svidania', 'spasibo', 'do pobachennya', 'dyakuyu', 'jo napot', 'jo reggelt', 'jo estet', 'koszonom', 'viszlat',
  'viszontlatasra', 'buna ziua', 'buna dimineata', 'buna seara', 'la revedere', 'multumesc', 'efharisto', 'efcharisto', 'yia sas', 'geia sas', 'kalinihta', 'faleminderit', 'mirupafshim',
  // Romance, Turkish, Semitic, Persian, East and South-East Asian
  'bonne route', 'bon vol', 'bonne continuation', 'buona giornata', 'buona notte', 'buen dia', 'buen viaje', 'buen vuelo', 'hasta luego', 'boa viagem', 'bom voo', 'gunaydin', 'iyi aksamlar', 'iyi geceler', 'iyi ucuslar', 'tesekkurler', 'tesekkur ederim',
  'gorusuruz', 'hoscakalin', 'shalom', 'lehitraot', 'boker tov', 'marhaba', 'sabah al khair', 'masa al khair', 'shukran', 'maa salama', 'maasalama', 'salam aleikum', 'salaam alaikum', 'as salamu alaikum', 'khoda hafez', 'dorud', 'ohayo', 'ohayo gozaimasu',
  'konnichiwa', 'konbanwa', 'sayonara', 'arigato', 'arigato gozaimasu', 'annyeong haseyo', 'kamsahamnida', 'ni hao', 'nin hao', 'xie xie', 'zai jian', 'zao shang hao', 'selamat pagi', 'selamat siang', 'selamat sore', 'selamat malam', 'terima kasih', 'sawasdee',
  'sawadee krap', 'sawadee ka', 'khop khun', 'mabuhay', 'salamat po', 'xin chao',
  'greetings', 'salut', 'salam', 'namaste', 'soiree', 'journee', 'ladies and gentlemen', 'nice evening', 'nice weekend',
];

/** Words that join or fill, label O. */
export const DISCOURSE: ReadonlySet<string> = new Set([
  'and', 'then', 'okay', 'ok', 'so', 'well', 'please', 'sir', 'madam', 'maam', "ma'am", 'yeah', 'yes', 'yep', 'ja', 'you', 'are', 'is', 'now', 'the', 'a', 'an', 'your', 'just',
  'also', 'again', 'that', 'we', 'i', 'our', 'be', 'will', 'have', 'has', "we're", "you're", "i'm", "we'll", "i'll", 'my', 'this', 'it', 'was', 'sorry', 'alright', 'all', 'right',
]);

/** Acknowledgement phrases and the word that stands for each in Understanding.acknowledgements. */
export const ACKNOWLEDGEMENTS: ReadonlyMap<string, string> = new Map([
  ['roger', 'roger'], ['rodger', 'roger'], ['roger that', 'roger'], ['wilco', 'wilco'], ['vilco', 'wilco'], ['will comply', 'wilco'], ['affirm', 'affirm'],
  ['affirmative', 'affirm'], ['affirmation', 'affirm'], ['affirmatif', 'affirm'], ['copied', 'copied'], ['copy', 'copied'], ['copy that', 'copied'],
  ['copied that', 'copied'], ['that is copied', 'copied'], ["that's copied", 'copied'], ['negative', 'negative'], ['unable', 'unable'], ['understood', 'roger'],
  ['check', 'check'], ['checked', 'check'], ['correct', 'correct'], ["that's correct", 'correct'], ['that is correct', 'correct'], ['readback correct', 'readback_correct'],
  ['readback is correct', 'readback_correct'], ['your readback is correct', 'readback_correct'], ['hearback correct', 'readback_correct'], ['okay', 'okay'], ['ok', 'okay'],
  ['yes', 'affirm'], ['yeah', 'affirm'], ['yes sir', 'affirm'], ['no', 'negative'], ['perfect', 'okay'], ['all right', 'okay'], ['alright', 'okay'],
  ['two clicks', 'clicks'], ['double click', 'clicks'], ['got it', 'roger'], ['no problem', 'okay'],
]);

/** The last word of the name of an air traffic services unit (Doc 4444 §12.1, callsign suffixes), FAA forms included. */
export const FACILITIES: ReadonlySet<string> = new Set([
  'tower', 'ground', 'radar', 'approach', 'departure', 'departures', 'control', 'center', 'centre', 'director', 'arrival', 'arrivals', 'delivery', 'apron', 'information', 'info', 'clearance',
  'radio', 'ramp', 'planner', 'precision', 'homer', 'dispatch', 'apon', 'feeder', 'upper', 'lower', 'unicom', 'company', 'handling', 'operations', 'ops',
]);

/** Place names that head the name of a unit. A short list; any word before a facility word counts as well. */
export const PLACES: ReadonlySet<string> = new Set(
  (
    'praha ruzyne prague brno ostrava karlovy vodochody kbely pardubice sion geneva geneve bern berne zurich zurrich zuerich basel grenchen lugano emmen payerne dubendorf ' +
    'st-gallen lausanne locarno samedan swiss langen rhein munich munchen muenchen frankfurt berlin hamburg bremen dusseldorf koln cologne stuttgart nurnberg leipzig dresden hannover hahn ' +
    'wien vienna graz linz salzburg innsbruck klagenfurt bratislava kosice poprad stefanik budapest warszawa warsaw krakow gdansk wroclaw poznan katowice ljubljana zagreb split dubrovnik beograd belgrade ' +
    'london heathrow gatwick stansted luton manchester birmingham edinburgh glasgow scottish bristol cardiff dublin shannon cork maastricht amsterdam schiphol rotterdam eindhoven ' +
    'brussels charleroi liege antwerp luxembourg paris orly roissy charles-de-gaulle lyon marseille nice toulouse bordeaux reims brest nantes lille strasbourg montpellier mulhouse milano milan roma rome ' +
    'padova venezia torino bologna napoli palermo catania malta madrid barcelona valencia sevilla malaga palma bilbao lisboa lisbon porto faro copenhagen kastrup kobenhavn malmo stockholm ' +
    'arlanda goteborg gothenburg oslo bergen trondheim helsinki tampere riga tallinn vilnius kaunas minsk moscow kiev kyiv lviv bucuresti bucharest sofia varna athens athinai thessaloniki ' +
    'nicosia larnaca istanbul ankara izmir antalya beirut amman cairo jeddah riyadh dubai doha bahrain kuwait muscat tehran baghdad delhi mumbai bombay chennai kolkata karachi lahore colombo dhaka ' +
    'bangkok singapore changi hanoi ' +
    'manila jakarta kuala lumpur hongkong taipei seoul incheon gimpo busan jeju tokyo narita haneda osaka kansai fukuoka beijing shanghai guangzhou shenzhen sydney melbourne brisbane perth auckland ' +
    'wellington christchurch boston atlanta chicago denver oakland seattle dallas houston miami orlando memphis minneapolis cleveland indianapolis potomac norcal socal washington dulles reagan ' +
    'kennedy laguardia newark philadelphia detroit phoenix vegas portland anchorage honolulu toronto montreal vancouver calgary ottawa gander mexico bogota lima santiago bratislave'
  ).split(/\s+/),
);

/** Aircraft makes and kinds said before or instead of a registration, and about traffic. */
export const AIRCRAFT_KINDS: ReadonlySet<string> = new Set([
  'cessna', 'piper', 'cirrus', 'beech', 'beechcraft', 'bonanza', 'baron', 'mooney', 'diamond', 'robin', 'socata', 'citation', 'learjet', 'gulfstream', 'falcon', 'challenger', 'phenom',
  'skyhawk', 'skylane', 'cherokee', 'archer', 'warrior', 'seneca', 'seminole', 'bellanca', 'grumman', 'citabria', 'decathlon', 'pilatus', 'kingair', 'embraer', 'hawker', 'twin',
  'helicopter', 'heli', 'copter', 'glider', 'experimental', 'lifeguard', 'medevac', 'dash', 'saab', 'fokker', 'husky', 'katana', 'sovereign', 'navajo', 'comanche', 'saratoga', 'malibu',
  'tobago', 'centurion', 'caravan', 'duchess', 'duke', 'stearman', 'texan', 'seaplane', 'trike', 'microlight', 'ultralight', 'balloon', 'tecnam', 'aquila', 'extra', 'commander',
]);

export const TRAFFIC_KINDS: ReadonlySet<string> = new Set([
  ...AIRCRAFT_KINDS, 'airbus', 'boeing', 'traffic', 'aircraft', 'jet', 'heavy', 'a320', 'a319', 'a321', 'a318', 'a330', 'a340', 'a350', 'a380', 'b737', 'b738', 'b747', 'b757', 'b767', 'b777',
  'b787', 'company', 'lufthansa', 'swiss', 'triple', 'atr', 'crj', 'rj', 'md80', 'turboprop', 'liner', 'airliner', 'preceding', 'arrival', 'departure', 'vehicle', 'car', 'tug', 'follow-me', 'commuter', 'dc', 'md', 'bombardier', 'mcdonnell', 'ilyushin', 'antonov', 'tupolev', 'hercules', 'mooney',
]);

/** Words that have a meaning of their own on the radio, so that they are neither a fix nor the telephony of an unknown operator. */
const PHRASE_WORDS =
  'neo owing rejoin rejoining subject provided providing avoid avoiding glideslope slope papi scheduled orbiting greens exceed exceeding navigation leveling levelling steer orbid capture capturing glidepath airspeed slowing atc limits limitation pilots around execute navigate engines crosswind exiting backtracking extending may switching changing staying sooner earlier ' +
  'completion yours prepared practicable practical feasible notified finished instructed told notice convenience sequencing winds delays activity vehicles works closure gust setting assigned bay seconds percent fpm vmc rollout lost another hangar ' +
  'abeam able about above according acknowledge across active actually additional adjust advise advised affirm affirmative after ahead aircraft airborne airport airspace all along alternate alternative altimeter ' +
  'altitude amended an and any approach approaching approaches approval approve approved apron are arc area arrival arriving as ask at available await aware back backtrack base be because become before behind ' +
  'below best between big block blocked blue both break breaking brief bring bit busy but by call called calling calls can cancel cancelled cannot car caution ceiling center change changed channel charter check checking circle circling ' +
  'circuit city clean clear cleared clearance climb climbed climbing climbs close closed closing clouds code come comes coming comply company complete completed condition conditions confirm confirmed confirming connect contact ' +
  'contacting continue continuing control controlled convenient coordinate coordination copied copy correct correction could course cross crossed crossing current currently cut danger day decelerate decrease defined degrees ' +
  'delay delayed delivery depart departed departing departure descend descended descending descent destination deviate deviating deviation different direct direction directly discretion disregard distance ditto do does doing ' +
  'done down downwind drop due during early east eastbound edge either emergency end engine enroute enter entering entry essential establish established estimate estimated estimating evening exactly except exercise exercises expect ' +
  'expected expecting expedite expediting extend extended exit facing fast faster fato fairly feet few field file final finals find fine first fix flight flow fly flying follow followed following for forward found free frequency from ' +
  'front fuel full fully further get give given giving glide glider go going good got grass great greater green ground guard half hand hang have having head headed heading headings hear heard heavy hectopascals height helicopter ' +
  'helipad her here high higher hold holding holdings holds hook hours how hundred identification identified identify if ils immediate immediately in inbound inches increase increased increasing indicate indicated indicating ' +
  'info inform information initial initially inner inside instead instruction instructions intend intention intentions intercept intercepting interception intersection into is it join joining just keep keeping know knots ' +
  'land landed landing last late later least leave leaving left leg less let level levels lift light lights like limit line lined lining link little local localizer long longer look looking low lower mach made main maintain ' +
  'maintaining make making many marshaller marshall maximum maybe me mean metres midfield mid midpoint middle miles military minimum minus minute minutes missed moment monitor monitoring more move much must my near need negative next ' +
  'night no noise none normal normally north northbound northeast northwest not now number numbers obstacle obtain of off offset okay on once one only onto open operate operating operation operations opposite option or orbit ' +
  'orbits order other our out outbound outer outside over overfly overhead overshoot own parallel park parking pass passed passing path pattern per perform permission pilot plan please point position possible practice precede ' +
  'preceding present pressure previous prior probably problem procedure proceed proceeding profile program published pull purpose push pushback pushing put qnh qfe question quick quickly quite radar radial radio rapid rate reach reached ' +
  'reaching read readability readback ready reason receive received recleared reduce reduced reducing regional release released remain remaining repeat replace report reported reporting reports request requested requesting requests required ' +
  'reset rest restart restricted restriction restrictions resume resuming return returning right rnav rnp roger roll rolling rotate round route routing runway runways safe same say says second sector see seen sequence ' +
  'sequenced separation service set several shall short shortcut shortly should side sight simulated since single slight slightly slot slow slower soon sorry south southbound southeast southwest space spacing speed speeds spot squawk ' +
  'squawking stand standard standby start started starting startup state station status stay step still stop stopping stopped straight sure surface switch take takeoff taking taxi taxied taxiing taxiway tell temperature ten ' +
  'terminal terminate terminated terminates test than thank that the their them then there these they thing think third this those thousand threshold through ticket tight time to today together too top touch touchdown tow towards tower track ' +
  'traffic training transfer transition transmission transmit transponder trend try trying tug turbulence turn turning turns two type unable under understand understood unfortunately unidentified unit unknown unless until unverified up upon upwind ' +
  'use used using vacate vacated vacating vectors vector vectoring vehicle verified verify vertical very vfr via vicinity visibility visual wait waiting wake want was way we weather well were west westbound what when where ' +
  'which while whiskey who why wide will wilco wind with within without work would yellow yes yet you your zone ifr special svfr dme vor ndb gls ctr tma atis sid star rvr calm gusting gusts variable tcas ra lima mayday pan ' +
  'decimal point alfa bravo twelve hi sir madam guys okay one two three four five six seven eight nine zero double triple hundred squawks conflict clean until further advised nose facing stands gate gates ramp tail remote holdshort ' +
  'fix waypoint airfield aerodrome touchdowns roger-that us em its it\'s i\'m we\'re you\'re i\'ll we\'ll don\'t that\'s there\'s i\'ve we\'ve what\'s let\'s did done going try o\'clock sharp flaps gear lights wing wings someone somebody anyone ' +
  'reference regarding respect advise intentions squawkident ident mode charlie standing by hour half quarter past mindful careful note noted briefing gliders drone drones birds bird flock ' +
  'speeding wheel wheels fire smoke fumes medical passenger passengers souls board endurance fuel-remaining minutes kilometres kilometers kilograms tonnes category stable unstable windshear shear microburst braking action wet dry ' +
  'ice snow slush rain storm thunderstorm cell cells buildup buildups build-up icing turbulence moderate severe light chop smooth ride rides bumpy tops bases overcast broken scattered few cavok nosig tempo becoming dewpoint temperature';

/** Everyday words that turn up in free talk and are neither a fix nor an operator. */
const EVERYDAY_WORDS =
  'able across actual add afraid afternoon against ago agree alone along already alright although always among amount another answer anybody anymore anything anyway apart apologies appear appreciate appropriate approximately around arrange aside ' +
  'assume attention away bad basically beautiful began begin behind believe below beside besides better beyond boss boys bring brought building busy buy calm came care careful case catch certain chance chances cheap choice choose ' +
  'closer cold colleague colleagues comfortable coming common complicated concern concerned confused confusion considering copying cost couple course crew crossing-point daddy dark date decide decided decision definitely depends detail details ' +
  'difference difficult discuss door doubt drive each earlier early easier easily easy eat eighth either else empty enjoy enough entire especially even ever every everybody everything everywhere exact example excellent excuse expected experience ' +
  'explain eye eyes face fact fair family far favour favourable feel feeling fellow few fifth finally finished fit flash floor flow forget forgot fourth friday friend full funny furthermore future game gear gentle gentlemen girl glad gone got ' +
  'grateful guess guy half hand happen happened happens happy hard hardly hate he heart hell help her here him his hit holiday home hope hopefully hot house however huge idea imagine important impossible including indeed inside instead interesting ' +
  'involved issue issues itself job kind kindly knew know lady language large later laugh launch lead learn least leave length less letter lets lie life likely listen little live lives long longer lost lots love lovely luck lucky lunch main mainly ' +
  'maintenance man manage map march matter meal meant meanwhile meet meeting men mention message mind mine minor miss mistake mixed monday money month months moon morning mostly mother mountain mountains move moves name nature nearly necessary neither ' +
  'never nice nobody none nope nor nothing nowhere obviously occasionally occupied odd offer office often old oops opinion opportunity original otherwise outside own owner page paper pardon particular party past people perfect perfectly perhaps period person ' +
  'phone picture piece place places plane play pleased plenty poor popular positive possibility post prefer preferred pretty previously private probable properly provide question quiet quite rain raining ran rather real really recent recently record red regards ' +
  'regular relax remember rest ring rough rule run running sad said saturday save saw school second seem seems seen send sense sent serious seriously seventh shame share she shop shown shut silly similar simple simply sir sit situation sixth size sleep slowly ' +
  'small smile snow solution some somehow something sometimes somewhere soon sort sound sounds spare speak special spend spoke spoken spring stuff stuck such sudden suddenly sugar suggest suit summer sun sunday sunny sunset sunrise super supper support supposed surprise surprised table ' +
  'taken talk talking tea team telephone tells tend term terrible thanks themselves therefore thinking thirsty those though thought threw throughout thursday till tired together told tomorrow tonight totally touch tough town tried true truly tuesday twice typical understood ' +
  'unfortunate unusual upset useful useless usual usually view visit voice waited wall watch water ways wednesday week weekend weeks weird welcome whatever whenever whether whole whom whose wider wife win window winter wish woman women wonder wonderful word words world worry worries worse ' +
  'worst worth wow write written wrong year years yesterday yet young yourself programme pattern mission missions planification profile exercises practice training student solo instructor engineer fuelling fueling refuel catering stairs marshall marshaller followme towing tow deice deicing ' +
  'weight performance payload slots ctot tractor sweeper inspection escort towed cargo bridge jetway anti treatment lounge boarding disembark ambulance doctor priority declared dumping smell cockpit pressurisation ' +
  'electrical generator burst flat windshield cracked debris fod metal object foxes dog deer hare geese kite paraglider parachutist parachute jump jumpers skydiving laser illuminated sunlight glare fog mist haze cloud ' +
  'patches drizzle hail cb towering cumulus headwind component damp contaminated slippery medium pireps pirep occasional continuous unavailable build gap hole reroute amendment revised void expired renew onward legs ' +
  'left-hand right-hand coordinating coordinated handover box congested readable unreadable garbled static weak microphone transmitting callsign incorrect misunderstood hurry quicker exits lineup adjacent inactive lighting ' +
  'stopbar bar amber flashing extinguished denied refused requirement searching spotted insight prop recommended recommend options callsigns alike update updated valid new undershoot boundary river lake motorway church ' +
  'castle power plant forest hill valley coast coastline island harbour railway stadium hospital heliport rooftop strip farm mast antenna terrain beacon marker fluctuating unserviceable inoperative calibration testing ' +
  'trainee checkride technical resolved sorted turnback diverting diversion nearest suitable assistance services brigade attendance precaution precautionary follow-up pleasure captain agent staff almost am aren\'t asked ' +
  'became been being can\'t couldn\'t didn\'t doesn\'t everyone gave gets getting gives goes had hasn\'t haven\'t held i\'d isn\'t it\'d it\'ll kept known letting looked looks lose makes means might most needed needs others ' +
  'ought ours part saying shouldn\'t show suppose they\'ll they\'re they\'ve things times took tries wanted wants wasn\'t we\'d went weren\'t where\'s who\'s won\'t worked working wouldn\'t you\'d you\'ll you\'ve gonna ' +
  'wanna gotta kinda sorta brilliant cheers roughly apparently absolutely presently eventually farther nearer bigger smaller shorter heavier lighter last-minute dozen left-over noon midnight january february april june july ' +
  'august september october december autumn days whichever wherever anywhere elsewhere plus equal equals slash hyphen bottom rear corner section ' +
  'gps autopilot flap landing-gear hydraulic engine engines failure failed flameout unreliable cabin pressurization oxygen doors brakes brake tyre tire bird-strike strike lightning';

const PHRASEOLOGY: ReadonlySet<string> = new Set([
  ...PHRASE_WORDS.split(/\s+/),
  ...DIGIT_WORDS.keys(), ...TEEN_WORDS.keys(), ...TENS_WORDS.keys(), ...LETTER_WORDS.keys(), ...DECIMAL_WORDS,
  ...HESITATIONS, ...DISCOURSE, ...FACILITIES, ...TRAFFIC_KINDS,
  ...[...ACKNOWLEDGEMENTS.keys()].flatMap((phrase) => phrase.split(' ')),
]);

const EVERYDAY: ReadonlySet<string> = new Set(EVERYDAY_WORDS.split(/\s+/));

/** The word belongs to radio phraseology. Place names do not count. */
export const isPhraseWord = (word: string): boolean => PHRASEOLOGY.has(word);

/** The word means something by itself, in phraseology or in everyday talk, so that it is no name of a fix. */
export const isKnownWord = (word: string): boolean => PHRASEOLOGY.has(word) || EVERYDAY.has(word);
