/** Given and family names of one language, separated by spaces (`_` is a space within a name), and how many of the guests have them. */
interface NameGroup {
  readonly share: number
  readonly locale: 'en' | 'de'
  readonly given: string
  readonly family: string
}

/** Who comes to the demo festival. */
export const nameGroups: readonly NameGroup[] = [
  {
    share: 45,
    locale: 'de',
    given: `Anna Änne Jürgen Björn Günther Käthe Lotte Sören Jörg Matthias Ulrike Heike Moritz Jonas Greta Emil Frieda
      Anna-Lena Karl-Heinz Tobias Sabine Stefan Marlene Ida Till Paul Clara Leonie`,
    family: `Müller Groß Schröder Weiß Köhler Jäger Schäfer Böhm Fuchs Krüger Lang Hübner Vogt Sommer Winter Bäcker
      von_der_Heide Meyer-Lüdenscheid Öztürk Strauß Neumann Zöllner Schmidt Schulze Hoffmann Kühn`,
  },
  {
    share: 15,
    locale: 'en',
    given: 'Alice Oliver Emily Harry Zoë Chloe Siobhán Niamh Thomas Grace Amelia George Ruby Ethan',
    family: "O'Neill Smith Taylor Evans MacDonald Fletcher Brontë Walker Hughes Clarke St_John Hall",
  },
  {
    share: 10,
    locale: 'en',
    given: 'Łukasz Małgorzata Jakub Zofia Paweł Agnieszka Michał Róża Wojciech Świętosława',
    family: 'Wójcik Kowalczyk Żółkiewski Dąbrowska Szymański Łapiński Gąsior Piątek Źrebiec',
  },
  {
    share: 8,
    locale: 'en',
    given: 'Chloé François Léa Benoît Noémie Jérôme Anaïs Gaëlle Théo Maëlys',
    family: 'Lefèvre Dubois Garçon Hervé Béranger Le_Goff Château Noël Müntz',
  },
  {
    share: 6,
    locale: 'en',
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
    given: 'Jiří Šárka Ondřej Željko Dušan Zsófia Győző István Ioana Ștefan',
    family: 'Dvořák Novotný Růžička Kovačević Nagy Szőllősi Țepeș Ionescu',
  },
]

/** Companies that some guests come from. */
export const companies: readonly string[] = [
  'Hübner & Söhne GmbH',
  'Riverside Brewing Ltd',
  'Łódź Light Sp. z o.o.',
  'Café Noir',
  'Nordlicht Bühnentechnik',
  'Example AG',
]

/** The address a person might have, in the letters every mail program takes: `Łukasz Wójcik` is lukasz.wojcik. */
export function mailAddressOf(given: string, family: string): string {
  const plain = `${given}.${family}`
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[ßøłđðþæı]/g, (letter) => letters[letter] ?? letter)
  return `${plain.replaceAll(/[^a-z.-]/g, '')}@example.org`
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
