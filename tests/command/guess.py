#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The guesses of charsets, through the binary; CPython's codecs are the oracle. A name
that fix would change by itself has to be the right one. Also scan --summary,
fix --guessed and --normalization. The suite command-guess runs this."""

import json
import os
import random
import re
import sys
import tempfile
import unicodedata

from harness import (Place, equal, fix, is_utf8, main, make, read, records, rmtree, run,
                     shell_words, test, tree, true, undo_all, value, write)

sys.path.append(os.path.join(os.path.dirname(__file__), "../../tools/bench"))
from guess_names import unzipped  # pylint: disable=wrong-import-position

GERMAN = ("Übersicht.doc", "Größe", "Straße 5.jpg", "Männer.txt", "Köln",
          "Grüße aus Österreich.mp3", "Fußball", "Schlüssel", "Bäckerei", "Übung 12", "Küche",
          "Rückseite", "häufig", "König", "Müller", "Frühstück", "Änderungen", "Größenvergleich",
          "schön", "Lösung", "Gemüse", "Geschäft", "Führerschein", "Prüfung", "Wörterbuch")
SPANISH = ("España.txt", "Año nuevo", "Canción.mp3", "información", "El niño", "mañana",
           "Cumpleaños", "último día", "teléfono", "público", "también", "corazón", "Educación",
           "árbol", "razón", "habitación", "según", "Música", "páginas", "ejército")
RUSSIAN = ("Москва", "Письмо.doc", "фотографии", "музыка", "Документы", "Новая папка",
           "отчёт.xls", "Список", "работа", "Книги", "Программа", "фильмы", "дача", "Реферат",
           "договор")
FRENCH = ("été.txt", "Élève", "à la plage", "déjà vu", "château", "Réunion.doc", "musée",
          "Hélène", "forêt", "après-midi")
CHINESE = ("王伟", "李娜.txt", "张敏", "刘洋.doc", "陈静", "杨丽华", "赵磊", "黄勇", "周杰", "吴建国.txt")
JAPANESE = ("裕太", "宇野香織.txt", "近藤", "杉山", "佐藤翼", "大垣直樹", "野村零", "斉藤零.doc", "渡辺")
JAPANESE_FOLDERS = ("新しいフォルダ", "日本語の資料.txt", "報告書 2005", "会議メモ", "写真", "予定表", "音楽", "お知らせ.doc",
                    "ダウンロード", "映画", "平和", "山口 結衣.txt", "近藤 裕太")
POLISH = ("Źródło", "Książka", "Życzenia.doc", "zdjęcia", "święta", "Łódź", "piątek", "wrzesień",
          "muzyka ludowa żywa", "Kraków", "różne", "pieśń", "Gdańsk", "środa",
          "sprawozdanie roczne ósme")
ITALIAN = ("Società Internazionale", "novità", "Municipalità di Roma", "immunità", "la città",
           "qualità.txt", "università", "metà strada", "verità", "attività 2005")
PLAIN_ITALIAN = ("è giusto", "La vita è una malattia", "Il suo lavoro è.txt",
                 "un disegnatore è sempre", "perché", "me lo dà", "così via", "l'importante è",
                 "più morti", "non è posto.mp3")
CZECH = ("Věci na cestu", "Šel domů", "základní škola", "příběhy", "Když jsem", "žádný ze synů",
         "většina", "pravděpodobně šťastnější", "hlavní město", "dobrou ženu", "Smlouva o dílo",
         "úředník", "nejlepší přítel", "vůbec ne.mp3", "staré obrázky")
ROMANIAN = ("Fișiere", "Muzică", "București", "Țară", "învățământ", "Română", "Imagini și poze",
            "științe", "Poșta", "Câmpulung", "Brașov", "soția", "Hârtie", "Piața Unirii",
            "Întâlnire", "școală")
WITH_CEDILLAS = [name.translate(str.maketrans("șțȘȚ", "şţŞŢ")) for name in ROMANIAN]
THAI = ("สำลีfort", "ถาวรายุศม์borough", "ตัณสถิตย์chester 2005.doc", "สมชาย", "ถนนสุขุมวิท",
        "กรุงเทพ", "เชียงใหม่")
# names of the whole world, as French and Italian have them
FRENCH_WORLD = ("Málaga", "Besançon", "Zürich", "São Paulo", "Nîmes", "Sénégal", "Düsseldorf",
                "Orléans", "Fès", "Cameroun français", "Göteborg", "Île de Ré", "Bogotá",
                "Algérie", "Pérou", "Curaçao", "Guinée équatoriale", "Grèce", "Suède",
                "Corée du Sud", "Brésil", "Asunción", "Norvège", "Malmö", "Perpiñán")
ITALIAN_WORLD = ("Perù", "Città del Messico", "Bogotá", "São Paulo", "Düsseldorf", "Córdoba",
                 "Nîmes", "Panamá", "Orléans", "Málaga", "Forlì", "Göteborg", "Città di Castello",
                 "Zürich", "Canicattì", "Réunion", "Malmö", "Besançon", "Corfù", "Cefalù")
BOX = ("└─────┴────────────┘", "┌────┬───.mp3", "├──────┤ 2005", "═══════════")

UNDECIDED = (b"no guess is reliable enough to rename. If you know the charset, run: "
             b"utf8val fix --from CHARSET PATH\n")
ONE_LEFT = (b"no reliable guess for the 1 left. If you know the charset, run: "
            b"utf8val fix --from CHARSET PATH\n")


def make_in(path, codec, names):
    """Make files in a directory, which is made too, with these names in a charset."""
    make(path, *(name.encode(codec) for name in names))


def guesses(root):
    """The guess of scan for each name: (charset, sure, new name or None)."""
    return {value(item["name"]): tuple(item.get("guess", {}).get(key)
                                       for key in ("as", "sure", "name"))
            for item in records("scan", root)}


def judge_tree(top, want, least):
    """Compare scan's guesses with what the names of a tree are: no guess that fix would
    act on is wrong, and fix would act on at least this part of the guesses."""
    got = guesses(top)
    decided = {name: new for name, (_charset, sure, new) in got.items()
               if sure != "possible" and new is not None}
    equal(decided, {name: want[name] for name in decided})
    true(len(decided) >= least * len(got), (len(decided), len(got), got))


def judge(root, least, *parts):
    """Judge a directory whose names are in charsets; a part is a charset and names in it."""
    top = Place(os.fsencode(tempfile.mkdtemp(dir=root)))
    want = {name.encode(codec): name for codec, names in parts for name in names}
    make(top, *(name for name in want if not is_utf8(name)))
    judge_tree(top, want, least)


def judged(title, *rows):
    """Register a test that judges one directory for each row of arguments of judge()."""
    @test(title)
    def _(root):
        for row in rows:
            judge(root, *row)


judged("one directory in each of the charsets of archives, DOS and the Mac",
       *((0.9, (codec, names)) for names in (GERMAN, SPANISH)
         for codec in ("cp437", "cp850", "cp858", "mac-roman", "latin-1", "cp1252")),
       *((0.9, (codec, RUSSIAN))
         for codec in ("cp866", "cp1251", "koi8-r", "mac-cyrillic", "iso8859-5")),
       # CP866 has other letters of Ukrainian in the places of these
       (1, ("cp1125", ("Звіт за рік", "Київ", "Пісня", "Їжак", "Заява", "Договір оренди",
                       "Список учнів"))),
       (0, ("cp1125", ("В'єтнам",))), (0, ("cp1125", ("Європа",))))

judged("a directory in which two charsets meet",
       # names of each say what the other's are not
       (0.9, ("cp1251", RUSSIAN), ("latin-1", FRENCH)),
       (0.9, ("koi8-r", RUSSIAN), ("cp850", FRENCH)),
       (0.9, ("cp866", RUSSIAN), ("cp437", FRENCH)),
       (0.9, ("cp437", GERMAN), ("cp1251", RUSSIAN)),
       (0.6, ("mac-roman", GERMAN), ("cp850", SPANISH)),
       (0.6, ("latin-1", SPANISH), ("cp850", GERMAN)))

judged("a directory of two charsets that share their bytes",
       (0, ("gbk", CHINESE), ("euc_jp", JAPANESE)),
       # the bytes of its accents are signs, an ellipsis most of all
       (0.5, ("cp1250", POLISH), ("cp850", ITALIAN)))

judged("a word of one letter, of which the other charset makes a letter, too",
       *((0, (czech, CZECH), (italian, PLAIN_ITALIAN[:count])) for count in (6, 10)
         for czech, italian in (("cp1250", "cp850"), ("iso8859-2", "latin-1"))))

judged(
    "one letter in many names is one piece of evidence",
    (0, ("cp850", ("2 chambres à louer", "Machine à laver", "Maison à vendre", "Fer à repasser"))),
    (0, ("cp850", ("arrêt 12", "Aller sans arrêt 14", "embêtera 19", "emmêlais 21",
                   "Toujours les mêmes 22"))),
    (0, ("cp850", ("Viêt Nam", "industries doivent être", "rêvant", "pas pu être", "empêtreras",
                   "sans arrêt"))),
    (0, ("cp850", ("batêreis", "volvê", "inflorescência", "desentorpecêreis"))),
    (0, ("cp850", ("vis-à-vis", "Pietà", "pied-à-terre", "hoofdthese"))),
    (0, ("cp437", ("più facile", "non accetta più"))),
    (0, ("cp437", ("Cùisean", "Rùisgeas", "Siùil"))),
    (0, ("mac-roman", ("Hangar più vicino", "più sovvenzionato"))),
    (0, ("mac-roman", [f"Non è {word}" for word in (
        "Yemen", "Zambia", "Manipur", "Belize", "Libia", "Roma", "Bari", "Oggi", "Vero")])),
    (0, ("mac-roman", ("Arabisch, Ägyptisch", "Male (Äthopien)", "Karo (Äthopien)"))),
    (0, ("latin-1", ("Dominìcani", "Repubblica Dominìcana", "Dominìcano"))),
    (0, ("iso8859-9", ("Mundurukú", "zulmet Mundurukú", "Mundurukú dinamit"))),
    # with a second letter there is more
    (0.9, ("cp850", ("Fenêtre", "Forêt", "Tête", "Été 1997", "Février", "Arrêté",
                     "Réunion", "Hélène"))))

judged("languages of few names: Gaelic, Maltese, Sardinian, Luxembourgish, Faroese, Catalan",
       (0.9, ("latin-1", ("Gàidhlig", "Dùn Èideann", "a' mhòr-roinn", "òrain", "cèilidh",
                          "Glaschù", "sgrìobhadh", "ùpraid", "dè tha dol"))),
       (0.9, ("iso8859-3", ("ħobż", "Ħamrun", "żmien", "ġdid", "Għawdex", "ċentru", "Żebbuġ"))),
       (0.9, ("cp850", ("Repùblica", "tzitade", "pitzinnu ispànnigu", "Sàssari", "libertade",
                        "Nùgoro", "èssere", "mùsica"))),
       (0.5, ("cp850", ("Lëtzebuerg", "Gréng", "Schoulklass", "d'Stéit", "spéit",
                        "iwwer Mëtteg", "Rëm", "Hämmel"))),
       (0.9, ("latin-1", ("Føroyar", "Tórshavn", "Suðuroy", "bøkur", "mánaður", "gøta", "dýr",
                          "skúli"))),
       (0.5, ("mac-roman", ("col·legi", "Aquil·lina", "França", "això", "municipi català",
                            "novel·la", "cançó"))))


@test("names that are half UTF-8 say nothing of the others, and keep that half")
def _(root):
    for codec in ("latin-1", "mac-roman"):
        top = root / codec.encode()
        want = {name.encode(codec): name for name in GERMAN if not name.isascii()}
        for word in ("Äpfel Körbe", "Frühstück", "Schlüssel Überblick", "Köln", "Größe",
                     "Bücher", "Jürgen", "Fußball"):
            want[f"{word} ".encode() + "Gäste".encode(codec)] = f"{word} Gäste"
        make(top, *want)
        judge_tree(top, want, 0.95)
    # alone they are no more than possible
    make(root / b"alone", "Frühstück G".encode() + b"\xe4ste")
    equal({new[1:] for new in guesses(root / b"alone").values()},
          {("possible", "Frühstück Gäste")})


judged("names of the whole world: one name is not enough evidence for a charset",
       (0, ("cp1257", ("Vitória da Conquista.txt", "Enontekiö.txt", "Maršalo salos.mp3",
                       "Koimbatorė", "Güiria 2005.doc"))),
       # nor are three, of which the charset of all others makes as good letters
       (0, ("cp850", ("Narva-Jõesuu", "Großpolen", "Ípeiros", "Árneshreppur", "Jõhvi",
                      "Liberecký kraj", "Weiß-Gelao", "Åland", "Tõrva"))),
       (0, ("mac-roman", (
           "República Centroafricana", "Büchel", "Campos do Jordão", "Anápolis", "Amapá",
           "Islas Vírgenes", "Skíathos", "Røros", "Piauí", "Del Río", "Viña del Mar", "Génova",
           "Surinám", "Quilpué", "Piraçununga", "Mossoró", "Islas de la Línea", "In Aménas",
           "Teherán", "Pará Occidental, Rondonia", "Los Álamos", "Trípoli", "Cheliábinsk",
           "Canton-Bégin", "Tánger"))))

judged("lines that were drawn, and letters that stand where none does",
       (0, ("cp850", BOX + GERMAN[:8])), (0, ("cp866", BOX + RUSSIAN[:8])), (0, ("cp437", BOX)),
       (0, ("euc_jp", ("┌─────┬────.mp3", "────────"))),
       (0, ("hp-roman8", ("Peñuelas.mp3",))), (0, ("hp-roman8", ("ñandú",))),
       (0, ("mac-greek", ("Νήσοι Κουκ 2005.doc",))),
       (0, ("mac-greek", ("οπότε η επιλογή.txt",))),
       (0, ("mac-greek", ("ναρκισσιστής νυφοστολίσατε τσάκωνες.mp3",))),
       (0, ("latin-1", ("Paral·lel", "col·legi", "intel·ligència"))))

judged("Walloon, which has no model, is no Kurdish under DOS",
       (0, ("mac-roman", ("Rweyåme do Daenmåtche.mp3", "Rweyåme do Boutan.mp3", "veyåve.mp3"))))
judged("letters that are a word in no language were signs elsewhere",
       (0, ("mac-croatian", (
           "nije moguće otvoriti „.txt", "zadatak nije moguće pronaći",
           "naređenje „ nije poznato", "Pogreška u retku „ i dalje",
           "onemogućuje se praćenje direktorija „ s inotify"))),
       (0, ("mac-croatian", ("Istočni — jugoistočni", "Južni — jugozapadni.mp3",
                             "Sjeverni — zapadni", "zadatak nije moguće pronaći"))),
       # Words that are one letter, and initials.
       (0.8, ("cp1250", ("kérdés és felelet", "Ő és a kutya", "hol van ő", "Könyv és levél",
                         "Fehér Á. levele.doc", "születésnap"))))

judged("Thai with English on it is no Chinese of rare characters",
       (0, ("tis_620", THAI[:3])), (0, ("tis_620", THAI)),
       (0.8, ("gbk", ("我的iPhone照片", "使用python开发.txt", "旅游photos", "上海live",
                      "学习java语言", "中国电影mp4"))))

judged("names of the whole world are in one charset",
       *((least, (codec, names)) for codec in ("latin-1", "cp850", "mac-roman")
         for least, names in ((0.75, FRENCH_WORLD), (0.5, ITALIAN_WORLD))))

judged("a charset that is not known, with letters of two that are",
       (0, ("iso8859-4", (
           "Süüria", "Faro-et-Déo.mp3", "Cádiz.txt", "Guárico.mp3", "Durrës",
           "Almatõ linn 2005.doc", "Širvani linn.txt", "Lõuna-Carolina",
           "Vatnajökulli liustik 2005.doc", "Belutšistan.mp3", "Panevėžys", "Üldine.mp3",
           "Comerío.txt", "Põhja-Kurdufan.mp3", "Naujoji Akmenė 2005.doc", "Zlín 2005.doc",
           "Araabia Ühendemiraadid 2005.doc", "Atlántico Sur", "Tauragė.mp3",
           "Põhja-Lakhimpur.mp3", "Lääne-Sikkim", "Lääne-Kapimaa", "Tšini 2005.doc",
           "Sanguié.mp3", "Põhja-Simatra.mp3"))),
       (0, ("mac-turkish", ("Eskişehir.mp3",))), (0, ("johab", ("하이커우.mp3",))))

@test("a tilde is one in Japanese names, too")
def _(root):
    judge(root, 0.9, ("cp932", ("写真~2005", "東京~大阪.txt", "資料~", "会議メモ~1.doc",
                                "予定表~古い", "山田~鈴木")))
    # two ways to write a wave: nobody knows which was meant
    make_in(root / b"wave", "cp932", ("東京～大阪", "写真～古い"))
    equal({guess[:2] for guess in guesses(root / b"wave").values()}, {("SHIFT_JIS", "possible")})


judged("quotation marks, the second of which is another language's first",
       (0.9, ("cp1251", ("Станция „Дейвис“", "Хотел „Родина“.txt", "Вестник „Труд“",
                         "Читалище „Христо Ботев“", "Училище „Васил Левски“"))),
       (0.9, ("cp1252", [f"{name} „Straße“" for name in GERMAN[1:9]])))

judged("Hebrew's hyphen and its marks stand inside words",
       (0.9, ("cp1255", ("צ׳כיה.txt", "ג׳ורג׳יה", "עיר־בירה", "ז׳נבה", "בית־ספר.doc",
                         "תל־אביב", "צה״ל"))))


@test("names that differ in numbers only count once")
def _(root):
    sure = {}
    for count in (1, 40):
        top = root / (b"%d" % count)
        make(top, *(b"\xe9t\xe9 %d.jpg" % n for n in range(count)))
        sure[count] = set(guess[:2] for guess in guesses(top).values())
    equal(sure[1], sure[40])
    equal(len(sure[1]), 1)


judged("charsets of which nothing is known: nothing is done unasked",
       (0, ("mac-greek", (
           "Τσιαμίτας", "Λεωφ. Αμυγδαλοκεφαλίου", "Μπίκα", "Κατσίφος",
           "Τσαμασλίδης, Μαλίμη", "Θεσσαλονίκη", "Έγγραφα", "Μουσική", "Φωτογραφίες",
           "Νέος φάκελος", "Αθήνα", "Ταινίες"))))

judged("nor what nobody writes: accents, half quotes, rare characters",
       (0, ("mac-greek", ("Ετήσια έκθεση", "Θεσσαλονίκη", "Καλοκαίρι")),
        ("cp866", ("Снимки от морето", "Договор за наем", "Годишен отчет", "Песен", "София",
                   "Списък", "Молба", "Пловдив"))),
       (0, ("mac-croatian", ("Životopis",)),
        ("cp850", ("Årsrapport", "Blåbær", "Søknad", "Tromsø", "Bønder", "Kjære mormor",
                   "Påske på fjellet", "Værmelding"))),
       (0, ("cp863", ("Île de Ré", "Résumé", "Forêt", "Château", "Liste des élèves",
                      "Relevé de compte", "Été à la mer")),
        ("cp437", GERMAN[3:11])),
       (0, ("mac-roman", ("België",)),
        ("iso8859-15", ("Täitmine", "Mäed", "Põhikool", "Õppekava", "Töövõtja leping",
                        "Üldkoosolek"))),
       (0, ("kz1048", ("Ұлттық", "Жылдық есеп", "Үй", "Іс"))))

judged("Romanian with commas and with cedillas: the bytes are the same",
       (0.2, ("iso8859-16", ROMANIAN)),
       # in these it is known what the rest are
       (0.2, ("cp1250", WITH_CEDILLAS)), (0.2, ("iso8859-2", WITH_CEDILLAS)))


@test("names that are alone learn from the whole tree")
def _(root):
    names = [f"{word} {number}" for number in range(12) for word in GERMAN]
    for number in range(150):
        make_in(root / (b"%d" % number), "latin-1", names[2 * number:2 * number + 2])
    judge_tree(root, {n.encode("latin-1"): n for n in names}, 0.97)


@test("what fix has left as not sure is not sure beside the names that it has renamed")
def _(root):
    rng = random.Random(3629)
    # of each of these two, a guess without the others is likely for one more name
    dirs = [("cp437", ("Bada (Nigerië)", "Béni Mellal", "Kutná Hora", "wordt geïnstalleerd",
                       "slechts één naam")),
            ("cp1251", ("ингушский", "Нераспознанная «", "языки занди"))]
    for _number in range(30):
        names = rng.choice((GERMAN, SPANISH, FRENCH, PLAIN_ITALIAN, CZECH, POLISH))
        codec = rng.choice(("cp852", "cp1250") if names in (CZECH, POLISH) else
                           ("cp850", "latin-1", "mac-roman"))
        dirs.append((codec, rng.sample(names, rng.choice((3, 3, 4, 6)))))
    for number, (codec, names) in enumerate(dirs):
        top = root / (b"%d" % number)
        make_in(top, codec, names)
        run("fix", "--apply", "--journal", root / b"journal%d" % number, top)
        true(b" 0 would be renamed" in run("fix", top).stderr, tree(top))


@test("more directories than the tree is learnt from are decided once more")
def _():
    # The sure ones are left out then, so others are learnt from than the first time.
    sure = "Straße Müller Grüße Übung Köln Käse Jäger Höhe Äpfel Vögel".split()
    names = []
    for i in range(6000):
        words = ["příliš žluťoučký kůň úpěl ďábelské ódy".split()[i % 6], "Märchen", "fünf"]
        names += [b"d%d/%s" % (i, word.encode("latin-1" if i % 5 == 0 else "cp852"))
                  for word in (sure if i % 5 == 0 else words[:1 + i % 3])]
    got = run("scan", "--names", input=b"\0".join(names) + b"\0", status=1).stdout
    equal(got.count(b"\n"), len(names))


@test("the sign at the end of folders of Mac OS 9 is no letter of another script")
def _(root):
    for number, name in enumerate(("Project ƒ", "System Folder ƒ", "café ƒ")):
        top = root / (b"%d" % number)
        make(top, name.encode("mac-roman"))
        equal([(charset, new) for charset, _sure, new in guesses(top).values()],
              [("MACINTOSH", name)])


judged("two letters of a charset are not UTF-8 where that is a sign of another script",
       # U+055C of Armenian
       (0.5, ("mac-roman", (
           "Forma d’ús:  [OPCIÓ]… [FITXER [PREFIX]].txt", "manquen les dades de pedaç binari.txt",
           "i tot així.txt", "Política de la barra.txt", "Camí de l'accelerador.txt",
           "usa el fitxer de configuració global.txt"))))


@test("the system's language counts where a name says little: also by dates and paper")
def _(root):
    make_in(root, "latin-1", ["Käse"])
    others = ("LC_MONETARY", "LC_PAPER", "LC_TIME")
    for want, env in ((False, {"LC_ALL": "C.UTF-8"}), (True, {"LC_ALL": "de_DE.UTF-8"}),
                      *((True, {"LC_ALL": "", variable: "de_DE.UTF-8"}) for variable in others),
                      # but not against LC_ALL
                      *((False, {"LC_ALL": "ru_RU.UTF-8", variable: "de_DE.UTF-8"})
                        for variable in others)):
        line = run("scan", root, env={"LC_CTYPE": "", "LANG": "en_US.UTF-8", **env}).stdout
        equal((env, b"(likely)" in line, "Käse".encode() in line or not want),
              (env, want, True))


@test("nobody writes a sign inside a word, nor a no-break space after it")
def _(root):
    # quotation marks, a currency and a no-break space in the charsets of Windows
    judge(root, 1, ("cp850", ("Sécurité",)))
    judge(root, 1, ("cp852", ("Křížovky",)))
    judge(root, 1, ("cp437", ("Mi música",)))
    make_in(root / b"own", "cp850", ["Urlaub in Österreich"])
    equal([guess[2] for guess in guesses(root / b"own").values()], ["Urlaub in Österreich"])


def ends(args, end):
    """Run scan or fix, which has to end so: with the next command, with UNDECIDED or with
    ONE_LEFT, and with one of these only."""
    got = run(*args, status=1).stderr
    true(got.endswith(end), (args, got))
    equal((b"next" in got, UNDECIDED in got),
          (end not in (UNDECIDED, ONE_LEFT), end == UNDECIDED), (args, got))


@test("a scan ends with the next command")
def _(root, top):
    make_in(top, "cp1251", RUSSIAN)
    # A name that says little, but suits one language: beside others it is offered with
    # these, and not by itself.
    alone, few = root / b"alone", root / b"a b"
    make_in(alone, "latin-1", ["Löß"])
    make_in(few / b"e", "latin-1", ["Löß"])
    make_in(few / b"d", "latin-1", GERMAN)
    # And one of which many charsets make as good letters.
    unknown, sure = root / b"unknown", root / b"sure"
    make(unknown, b"t\xeate")
    make_in(sure, "latin-1", ["déjà vu à la façade du théâtre"])
    # Paths that came from a list can come from a list again.
    paths = root / b"list"
    write(paths, top + b"\0")
    for args, end in (
            (["scan", top], b": utf8val fix %s\n" % top),
            (["scan", b"--files0-from=" + paths], b": utf8val fix --files0-from=%s\n" % paths),
            (["scan", alone], UNDECIDED), (["scan", "--summary", alone], UNDECIDED),
            (["scan", unknown], UNDECIDED), (["fix", unknown], UNDECIDED),
            (["scan", few], b": utf8val fix --guessed ISO-8859-1 '%s'\n" % few),
            # fix has the sure ones already, and leaves the other for want of a good guess
            (["fix", few], ONE_LEFT), (["fix", sure, unknown], ONE_LEFT)):
        ends(args, end)
    # The printed command can be given to a shell, whatever the path.
    hostile = b"-a'$(b)\n\xff"
    make_in(root / hostile, "cp1251", RUSSIAN)
    last = run("scan", "--", hostile, cwd=root).stderr.splitlines()[-1]
    shown = last.rpartition(b": utf8val ")[2]
    true(b"\xff" not in shown, shown)
    # The names are sure, but that of their directory is one letter.
    equal(shell_words(shown), [b"scan", b"--summary", b"--", hostile])
    # No next command is printed for programs, nor where nothing is to be done.
    for args in (["scan", "-q", top], ["scan", "--json", top], ["scan", "-0", top],
                 ["scan", "--no-guess", top],
                 *(["fix", *options, place] for place in (few, unknown)
                   for options in (["-q"], ["--json"], ["-0"], ["--from", "KOI8-R"]))):
        got = run(*args, status=1).stderr
        true(b"next" not in got and UNDECIDED not in got, (args, got))
    run("fix", "--apply", "-q", "--journal", root / b"j", top)
    true(b"next" not in run("scan", top, status=0).stderr)


# an overlong dot, dash, newline, ESC and space; C1 controls, fillers
HIDDEN = (b"\xc0\xaessh", b"\xc0\xadrf", b"a\xc0\x8ab", b"a\xc0\x9b[2J",
          b"\xc0\xa0a", b"a\xc0\xa0", b"\xc1\xa1bc", b"\xe0\x80\xaessh",
          b"\x85\x9b31m", b"\xad\xe9t\xe9", b"\xa0\xe9t\xe9", b"\xe9t\xe9\xa0")


@test("no name that fix chooses hides anything")
def _(root, top):
    make(top, *HIDDEN)
    run("fix", "--apply", "-q", "--journal", root / b"j", top)
    for name in tree(top).difference(HIDDEN):
        text = name.decode()
        true(text[0] not in ".- \u00a0\u00ad" and text == text.strip() and
             text.isprintable(), name)
    hiding = {b"\xc0\xaessh", b"\xc0\xadrf", b"a\xc0\x8ab", b"a\xc0\x9b[2J"}
    true(hiding | {b"\xc1\xa1bc"} <= tree(top), tree(top))
    # nor one that it was allowed to take though it is only possible
    for args in (["--sure", "possible"], ["--plan", "-"]):
        plan = run("scan", "--json", top).stdout
        run("fix", *args, "--apply", "-q", "--journal",
            root / args[1].encode(), top, input=plan)
        true(hiding <= tree(top), tree(top))
    # A new name that a person has written is taken.
    line = {"path": os.fsdecode(top / b"abc"), "to": ".abc"}
    true(b"abc" in tree(top), tree(top))
    run("fix", "--plan", "-", "--apply", "--journal", root / b"k",
        top, input=json.dumps(line).encode(), status=0)
    true(b".abc" in tree(top), tree(top))


@test("--from makes no controls, and takes no charset without ASCII")
def _(root, top):
    make(top, b"a\x9b31m", b"caf\xe9", b"\x85", b"\xc2\x9bx\x9b\xe9")
    fix(root, "--from", "latin1", status=1, prints=b"control")
    equal(tree(top), {b"a\x9b31m", "café".encode(), b"\x85", b"\xc2\x9bx\x9b\xe9"})
    for charset in ("UTF-16", "UTF-16LE", "UTF-32", "UCS-2", "EBCDIC-US"):
        run("fix", "--from", charset, top, status=2, says=b"ASCII")


@test("what cannot be seen is not printed as it is")
def _(root):
    hidden = "\u3164\u2800\u034f\ufe0f\u00a0\u115f\u1160\uffa0\u2000\u202f" \
             "\u3000\u180e\u17b4\U000e0100\u00ad\u2064\ufff9\U0001d173"
    make(root, *(f"{n}{c}".encode() + b"\xff" for n, c in enumerate(hidden)))
    got = run("scan", "--no-guess", root, status=1).stdout
    got += run("scan", "--no-guess", "--json", root, status=1).stdout
    for char in hidden:
        true(char.encode() not in got, hex(ord(char)))


def summary(*args, at=b".", **kwargs):
    """The rows of scan --summary: {(directory, charset, how sure): names}."""
    return {(value(row["under"]), row["as"], row["sure"]): row["names"]
            for row in records("scan", "--summary", *args, at, **kwargs)}


@test("a summary: what is where, and commands that a shell takes")
def _(root):
    make_in(root / b"a/deep", "latin-1", GERMAN)
    make_in(root / b"-b'", "cp1251", RUSSIAN)
    make(root, b"\xe9t\xe9", b"\xf0\xa4\xad")
    equal(summary("--", b"-b'", at=b"a", cwd=root, status=1),
          {(b"-b'", "WINDOWS-1251", "likely"): len(RUSSIAN),
           (b"a/deep", "ISO-8859-1", "likely"): len(GERMAN)})
    got = run("scan", "--summary", "--", b"-b'", b"a", cwd=root, status=1)
    equal(len(got.stdout.splitlines()), 3)
    lines = got.stderr.splitlines()
    true(b"utf8val fix a/deep" in lines, lines)
    shown = next(n for n in lines if n.startswith(b"utf8val fix -- "))
    equal(shell_words(shown), [b"utf8val", b"fix", b"--", b"-b'"])
    # Other forms of UTF-8 have rows of their own.
    make(root / b"c", b"nul\xc0\x80\xed\xa0\xbd\xed\xb8\x80", b"\xc1\xa1bc", b"\xc1\xa2bc")
    equal({charset: names for (_under, charset, _sure), names in
           summary(at=b"c", cwd=root, status=1).items()},
          {"Modified UTF-8": 1, "overlong UTF-8": 2})
    rmtree(root / b"c")
    # what is not sure has to be said, in words that fix takes
    got = run("scan", "--summary", "--max-depth", "1", root, status=1)
    true(b"utf8val fix" not in got.stderr.replace(UNDECIDED, b""), got.stderr)
    # where other charsets make as good letters none is offered
    make(root / b"few", b"t\xeate")
    ends(["scan", "--summary", root / b"few"], UNDECIDED)
    run("scan", "--summary", b"a/deep/nothing", cwd=root, status=2)
    run("scan", "--summary", "-0", root, status=2)


@test("a summary: a row for each place with one answer, as deep as is asked")
def _(root):
    for user, codec, names in ((b"ann", "cp850", GERMAN), (b"bob", "cp1251", RUSSIAN),
                               (b"\xffcy", "koi8-r", RUSSIAN)):
        for part in (b"one", b"two/deep"):
            make_in(root / b"home" / user / part, codec, names[:12])
    make_in(root / b"home/dan/x", "cp1251", RUSSIAN)
    make_in(root / b"home/dan/y", "cp850", GERMAN)
    make_in(root / b"home/dan", "koi8-r", RUSSIAN)

    def rows(*args, **kwargs):
        return {(under, charset, names) for (under, charset, _sure), names in
                summary(*args, cwd=root, **kwargs).items()}

    known = {(b"./home/ann", "CP850", 24), (b"./home/bob", "WINDOWS-1251", 24),
             (b"./home/\xffcy", "KOI8-R", 24), (b"./home/dan", "KOI8-R", len(RUSSIAN)),
             (b"./home/dan/x", "WINDOWS-1251", len(RUSSIAN)),
             (b"./home/dan/y", "CP850", len(GERMAN))}
    got = rows()
    true(known <= got, got)
    # and a bad name of a user's directory
    equal({row[0] for row in got - known}, {b"./home"})
    got = rows("--depth", "2")
    true((b"./home/dan", "CP850", len(GERMAN)) in got, got)
    equal({row[0] for row in rows("--depth", "1")}, {b"./home"})
    # a root's own name is counted with it
    got = rows(at=b"home/\xffcy")
    equal({row[0] for row in got}, {b"home/\xffcy"})
    equal(sum(row[2] for row in got), 25)
    run("scan", "--depth", "2", root, status=2)
    run("scan", "--summary", "--depth", "65", root, status=2)


@test("--guessed: names whose best guess is that charset, and no others")
def _(root, top):
    for part, codec, names in (
            (b"a", "cp850", GERMAN), (b"b", "koi8-r", RUSSIAN),
            (b"c", "latin-1", ["été"]), (b"d", "cp932", ("日本語", "報告書"))):
        make_in(top / part, codec, names)
    there = {os.path.basename(path) for path in tree(top)}
    before = guesses(top)
    for charset in sorted({guess[0] for guess in before.values()}):
        fix(root, "--guessed", charset.lower())
        changed = there - {os.path.basename(path) for path in tree(top)}
        equal(changed, {n for n, guess in before.items()
                        if guess[0] == charset and guess[2]}, charset)
        undo_all(root)
    # at least as sure as is asked for
    got = run("fix", "--guessed", "ISO-8859-1", "--sure", "certain", "--json",
              top, status=1)
    true(b'"to"' not in got.stdout, got.stdout)
    # what is to be done with the others is done
    got = run("fix", "--guessed", "CP850", "--rest=escape", top, status=1)
    equal(got.stdout.count(b"(escaped)"), len(before) - len(GERMAN))
    # other spellings of a charset's name; those of one family are one guess
    for charset, part in (("latin1", b"c"), ("cp1252", b"c"), ("windows-1252", b"c"),
                          ("ISO-8859-15", b"c"), ("IBM850", b"a"), ("ibm850", b"a")):
        changed = [value(item["path"]) for item in
                   records("fix", "--guessed", charset, top, status=1) if "to" in item]
        equal({path.split(b"/")[-2] for path in changed}, {part}, charset)
    for args in (["latin10"], ["UTF-16"], [""], ["CP850", "--from", "CP850"],
                 ["CP850", "--plan", "-"], ["CP850", "--guessed", "CP437"]):
        run("fix", "--guessed", *args, top, status=2)


@test("normalization forms: CPython's are the oracle")
def _(root):
    names = ("été", "Ångström", "ﬁn", "한글", "q\u0307\u0323", "\u212b",
             "plain", "ё", "\u0958", "日本語", "が", "\u1e9b\u0323")
    both = {unicodedata.normalize(form, name) for name in names for form in ("NFC", "NFD")}
    for form, other in (("nfc", "NFD"), ("nfd", "NFC")):
        top = root / form.encode()
        # of two spellings of one name, one only
        right = {name: unicodedata.normalize(form.upper(), name) for name in both
                 if unicodedata.is_normalized(other, name)}
        make_in(top, "utf-8", right)
        got = run("scan", "--normalization", form, "-0", top, status=1).stdout
        equal({os.path.basename(path).decode() for path in got.split(b"\0")[:-1]},
              {name for name in right if right[name] != name})
        run("scan", top, status=0)
        fix(root, "--normalization", form, at=[top], status=0)
        equal(tree(top), {name.encode() for name in right.values()})
        run("scan", "--normalization", form, top, status=0)
        undo_all(root)
        equal(tree(top), {name.encode() for name in right})
    run("scan", "--normalization", "nfkc", root, status=2)


@test("what is UTF-8 by chance is not kept beside letters of another script")
def _(root):
    # the last two letters and the quotation mark are U+B82F in UTF-8
    make_in(root, "cp855", [f"{text}.txt" for text in (
        "РАО «Козлова»", "АО «Самсонова, Орлова и Горбунова»", "НПО «Чернова»")])
    for args in (("--from", "CP855"), ("--guessed", "CP855")):
        got = run("fix", *args, root)
        true(not re.search("-> [^\n]*렯".encode(), got.stdout), got.stdout.decode())


@test("a language of which no model is there: nothing is sure and wrong")
def _(root):
    # Northern Sámi, in a charset of its own and in one that other languages share
    words = "sámegiella čáppa giđđa šaddu áhčči eadni".split()
    rng = random.Random(3629)
    for number in range(40):
        codec = ("iso8859-10", "iso8859-4")[number % 2]
        judge(root, 0, (codec, {" ".join(rng.sample(words, rng.randint(1, 3)))
                                for _ in range(25)}))


judged("a word's first letter may be a capital where another charset has a small one",
       # Asturian, of which no model is there: CP850's ñ is CP861's Á, as nearly all else is
       # the same in both
       (0, ("cp861", (
           "Emiratos Árabes Xuníos", "República Árabe de Siria", "República Árabe d'Exiptu",
           "Xapón y Corea", "Canadá", "Sudán del Sur", "Llingües Munda", "Hebréu", "Somalí",
           "Tailandés", "Reinu de Bahréin", "Gilbertés"))))

# Texts, how many of them are guessed, and which part is sure. Unzip drops a capital of Russian,
# a letter of Polish, and bytes of most of Japanese.
UNZIPPED = {"cp866": ((*RUSSIAN, "Шишкин", "шапка и шуба", "Ш. Руставели"), 16, 0.6),
            "cp852": (CZECH, 12, 0.8), "cp932": (JAPANESE_FOLDERS, 6, 0.2)}


@test("archives from DOS that Debian's unzip has unpacked")
def _(root):
    for codec, (texts, least, sure) in UNZIPPED.items():
        top = root / codec.encode()
        want = dict(zip(unzipped([name.encode(codec) for name in texts]), texts))
        make(top, *want)
        judge_tree(top, want, sure)
        got = guesses(top)
        right = [name for name in want if got[name][2] == want[name]]
        true(len(right) >= least, (codec, got))
        # what can be told by name, too
        fix(root, "--from", f"unzip:{codec}", at=[top])
        os.unlink(root / b"journal")
        true({want[name].encode() for name in right} <= tree(top), tree(top))


@test("compatibility ideographs are kept, except for the full forms")
def _(root):
    compatible = "\ufa19\uf900\U0002f800\ufad9"
    decomposed = unicodedata.normalize("NFD", "é")
    names = {name for base in ("\ufa19社", "\uf900", "x\U0002f800é", "\ufad9\ufad9")
             for name in (base, decomposed + base + decomposed, base + "が")}
    for form in ("nfc", "nfd", "full-nfc", "full-nfd"):
        def normalized(text, plain=form[-3:].upper()):
            return unicodedata.normalize(plain, text)

        top = root / form.encode()
        make_in(top, "utf-8", names)
        want = {normalized(name) if form.startswith("full") else
                "".join(part if part in compatible else normalized(part)
                        for part in re.split(f"([{compatible}])", name)) for name in names}
        fix(root, "--normalization", form, at=[top], status=0)
        os.unlink(root / b"journal")
        equal(tree(top), {name.encode() for name in want})
        equal(run("scan", "--normalization", form, top, status=0).stdout, b"")


@test("two spellings of one name: neither is lost, and it is told")
def _(root, top):
    make(top, "é".encode(), "e\u0301".encode(), b"n\xe9")
    write(top / "é".encode(), b"composed")
    fix(root, "--normalization", "nfc", "--from", "latin1", status=0, prints=b"numbered")
    equal(tree(top), {"é".encode(), "é-2".encode(), "né".encode()})
    equal(read(top / "é".encode()), b"composed")


main()
