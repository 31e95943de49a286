import type { Language } from '../../../schema/texts/translate.ts'

/** Given and family names of one language, separated by spaces (`_` is a space within a name), and how many of the guests have them. */
interface NameGroup {
  readonly share: number
  readonly locale: 'en' | 'de'
  /** The language of a demo in which most of the guests are these, in whose language they then order. */
  readonly home?: Language
  readonly given: string
  readonly family: string
}

/** Who comes to the demo festival. */
const nameGroups: readonly NameGroup[] = [
  {
    share: 45,
    locale: 'de',
    home: 'de',
    given: `Anna Änne Jürgen Björn Günther Käthe Lotte Sören Jörg Matthias Ulrike Heike Moritz Jonas Greta Emil Frieda
      Anna-Lena Karl-Heinz Tobias Sabine Stefan Marlene Ida Till Paul Clara Leonie`,
    family: `Müller Groß Schröder Weiß Köhler Jäger Schäfer Böhm Fuchs Krüger Lang Hübner Vogt Sommer Winter Bäcker
      von_der_Heide Meyer-Lüdenscheid Öztürk Strauß Neumann Zöllner Schmidt Schulze Hoffmann Kühn`,
  },
  {
    share: 15,
    locale: 'en',
    home: 'en',
    given: 'Alice Oliver Emily Harry Zoë Chloe Siobhán Niamh Thomas Grace Amelia George Ruby Ethan',
    family: "O'Neill Smith Taylor Evans MacDonald Fletcher Brontë Walker Hughes Clarke St_John Hall",
  },
  {
    share: 10,
    locale: 'en',
    home: 'pl',
    given: 'Łukasz Małgorzata Jakub Zofia Paweł Agnieszka Michał Róża Wojciech Świętosława',
    family: 'Wójcik Kowalczyk Żółkiewski Dąbrowska Szymański Łapiński Gąsior Piątek Źrebiec',
  },
  {
    share: 8,
    locale: 'en',
    home: 'fr',
    given: 'Chloé François Léa Benoît Noémie Jérôme Anaïs Gaëlle Théo Maëlys',
    family: 'Lefèvre Dubois Garçon Hervé Béranger Le_Goff Château Noël Müntz',
  },
  {
    share: 6,
    locale: 'en',
    home: 'es',
    given: 'José María Íñigo Lucía Ángel Begoña Núria Joaquín João Conceição',
    family: 'García_Márquez Núñez Ibáñez Muñoz Peña Gonçalves Araújo Sánchez',
  },
  {
    share: 6,
    locale: 'de',
    given: 'Ayşe Çağla Mehmet Gökhan Elif Şirin Ömer Yağmur',
    family: 'Yılmaz Çelik Şahin Doğan Güneş Kılıç Öztürk',
  },
  {
    share: 5,
    locale: 'en',
    given: 'Søren Åse Freja Bjørn Märta Göran Sinéad Guðrún Þór',
    family: 'Ångström Sørensen Bjørnson Håkansson Lindqvist Jónsdóttir Ærø',
  },
  {
    share: 5,
    locale: 'en',
    home: 'cs',
    given: 'Jiří Šárka Ondřej Željko Dušan Zsófia Győző István Ioana Ștefan',
    family: 'Dvořák Novotný Růžička Kovačević Nagy Szőllősi Țepeș Ionescu',
  },
  {
    share: 0,
    locale: 'en',
    home: 'it',
    given:
      'Niccolò Giulia Matteo Chiara Lorenzo Francesca Alessandro Sofia Giosuè Noemi Andrea Elisa Davide Martina',
    family: `D'Angelo Rossi Bianchi Esposito De_Luca Romano Greco Conti Nicolò Fabbri Moretti Dell'Acqua Colombo`,
  },
  {
    share: 0,
    locale: 'en',
    home: 'nl',
    given: 'Daan Sanne Joris Fleur Thijs Lotte Zoë Sjoerd Femke Bram Maartje Loïs Ruben Anne-Fleur',
    family: `de_Vries van_den_Berg Jansen Bakker van_'t_Hof Visser Smit Mulder de_Boer Dijkstra Meijer Brouwer Kuijpers`,
  },
  {
    share: 0,
    locale: 'en',
    home: 'ar',
    given: 'ليلى أحمد فاطمة يوسف مريم عمر نور خالد سارة حسن زينب إبراهيم هدى ياسمين',
    family: 'الخطيب حداد المصري نجار عبد_الله السيد العلي منصور خوري الحسن صباغ بيطار',
  },
]

const homeShare = 45

/** Who comes to a demo in a language: many from where it is spoken, and others. In English and German as at home in Berlin. */
export function guestsOf(
  language: Language,
): readonly (Omit<NameGroup, 'locale'> & { readonly locale: Language })[] {
  const isBerlin = language === 'en' || language === 'de'
  return nameGroups
    .map((group) => {
      if (isBerlin) return group
      if (group.home === language) return { ...group, share: homeShare, locale: language }
      return group.share === homeShare ? { ...group, share: 10 } : group
    })
    .filter(({ share }) => share > 0)
}

/** Companies that some guests come from. */
export const companies: readonly string[] = [
  'Hübner & Söhne GmbH',
  'Riverside Brewing Ltd',
  'Łódź Light Sp. z o.o.',
  'Café Noir',
  'Nordlicht Bühnentechnik',
  'Example AG',
]

/** The address a person might have, in the letters every mail program takes: `Łukasz Wójcik` is lukasz.wojcik, `ليلى حداد` is guest. */
export function mailAddressOf(given: string, family: string): string {
  const plain = `${given}.${family}`
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[ßøłđðþæı]/g, (letter) => letters[letter] ?? letter)
  const name = plain.replaceAll(/[^a-z.-]/g, '')
  return `${/[a-z]/.test(name) ? name : 'guest'}@example.org`
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  ı: 'i',
}
