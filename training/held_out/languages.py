"""What is said in other languages: own sentences, for the test that a recogniser of English radio writes nothing for them. Not by espeak-ng,
whose voices the training has for the same purpose.

(engine, voice, language of the phonemiser, text)
"""

SAID = [
    ("pico", "de-DE", "", "Guten Morgen, wir hätten gern zwei Karten für die Vorstellung am Donnerstag. Am liebsten in der Mitte, nicht zu weit vorn. Der Zug nach Ulm fährt heute von Gleis sieben ab, bitte beachten Sie die geänderte Wagenreihung. Wer zuletzt geht, macht das Fenster zu und löscht das Licht."),
    ("pico", "fr-FR", "", "Bonjour à tous, la boulangerie ouvre à six heures et demie et ferme le lundi. Il reste du pain de seigle et trois tartes aux pommes. Prenez la deuxième rue à gauche, puis continuez tout droit jusqu'au vieux pont de pierre. Demain il fera froid, avec un peu de neige au dessus de huit cents mètres."),
    ("pico", "es-ES", "", "Buenas tardes, el mercado está detrás de la iglesia y abre todos los sábados. Mi hermana vive en el cuarto piso, pero el ascensor no funciona desde ayer. Para la sopa necesitamos cebolla, ajo y un poco de azafrán. El autobús número quince pasa cada veinte minutos."),
    ("pico", "it-IT", "", "Buongiorno, il museo resta chiuso fino a martedì per lavori al tetto. Mia nonna preparava la pasta con le mani, senza bilancia e senza fretta. La strada per il lago è stretta, quindi guidate piano. Stasera danno un vecchio film al cinema della piazza."),
    ("kokoro", "em_alex", "es", "El tren sale del andén número cuatro dentro de diez minutos. Recuerden llevar agua, porque arriba no hay fuentes. La biblioteca presta los libros durante tres semanas. Mañana lloverá por la tarde en toda la costa."),
    ("kokoro", "if_sara", "it", "Il traghetto delle nove è in ritardo per il vento forte. Vorrei un caffè e un cornetto alla crema, per favore. I bambini giocano nel cortile dietro la scuola. Domenica andiamo in montagna se il tempo tiene."),
    ("kokoro", "im_nicola", "it", "La riunione comincia alle quindici e finisce quando abbiamo deciso. Ho lasciato le chiavi sul tavolo vicino alla finestra. Il giardino ha bisogno di acqua due volte al giorno. Ci vediamo davanti alla stazione."),
    ("kokoro", "pf_dora", "pt-br", "A padaria da esquina fecha às oito horas da noite. O barco para a ilha parte todos os dias ao meio dia. Minha avó guarda as fotografias antigas em uma caixa azul. Amanhã vamos plantar tomates e feijão no quintal."),
    ("kokoro", "hm_omega", "hi", "आज मौसम बहुत अच्छा है और हवा ठंडी है। कल सुबह हम नदी के किनारे घूमने जाएँगे। मेरी बहन बाज़ार से फल और सब्ज़ियाँ लाई है। गाड़ी दस मिनट देर से आएगी।"),
    ("kokoro", "zm_yunxi", "cmn", "今天天气很好，我们去公园散步吧。图书馆下午五点关门，请不要迟到。妈妈在厨房里做饭，爸爸在看报纸。明天早上的火车晚点二十分钟。"),
    ("pico", "de-DE", "", "Im Keller steht noch ein altes Fahrrad, aber die Kette fehlt. Nach dem Regen riecht der Wald nach Pilzen und nassem Laub. Kannst du mir bitte das Salz geben?"),
    ("pico", "fr-FR", "", "Le facteur passe vers dix heures, sauf quand il pleut beaucoup. Nous avons oublié les clés dans la voiture de ton frère. La réunion est reportée au mois prochain."),
    ("pico", "es-ES", "", "Los niños han pintado la puerta de verde y de blanco. Si vienes antes de las nueve, desayunamos juntos en la terraza. El perro del vecino ladra toda la noche."),
    ("pico", "it-IT", "", "Il gatto dorme sul davanzale e non vuole scendere. Abbiamo prenotato un tavolo per quattro persone vicino alla fontana. Spegni la luce quando esci, per favore."),
]
