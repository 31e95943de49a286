import assert from 'node:assert/strict'
import { planColumns } from '../../../server/domain/guest-list/columns.ts'
import { findLayout } from '../../../server/domain/guest-list/layout.ts'
import { keysOf, matchTitle } from '../../../server/domain/guest-list/titles.ts'
import { titles, vagueTitles } from '../../../server/domain/guest-list/words.ts'

function fields(...cells: string[]): (string | null)[] {
  return planColumns(cells, 1).columns.map(({ field }) => field)
}

describe('guest list columns', () => {
  const all = [
    'given_name',
    'family_name',
    'full_name',
    'email',
    'product',
    'variation',
    'code',
    'quantity',
    'order',
    'company',
    'phone',
    'comment',
  ]
  const names = (given: string, family: string, whole: string, ...rest: string[]) => [
    given,
    family,
    whole,
    ...rest,
  ]
  const languages: Readonly<Record<string, readonly string[]>> = {
    English: names(
      'First name',
      'Last name',
      'Full name',
      'E-mail',
      'Ticket type',
      'Variation',
      'Barcode',
      'Quantity',
      'Order code',
      'Company',
      'Phone',
      'Comment',
    ),
    German: names(
      'Vorname',
      'Nachname',
      'Vor- und Nachname',
      'E-Mail-Adresse',
      'Ticketart',
      'Variante',
      'Ticketcode',
      'Anzahl',
      'Bestellnummer',
      'Firma',
      'Telefon',
      'Bemerkung',
    ),
    French: names(
      'Prénom',
      'Nom de famille',
      'Nom complet',
      'Courriel',
      'Type de billet',
      'Tarif',
      'Code-barres',
      'Quantité',
      'N° de commande',
      'Société',
      'Téléphone',
      'Remarques',
    ),
    Spanish: names(
      'Nombre de pila',
      'Apellidos',
      'Nombre completo',
      'Correo electrónico',
      'Tipo de entrada',
      'Tarifa',
      'Código de barras',
      'Cantidad',
      'Pedido',
      'Empresa',
      'Teléfono',
      'Observaciones',
    ),
    Italian: names(
      'Nome di battesimo',
      'Cognome',
      'Nome e cognome',
      'Indirizzo e-mail',
      'Tipo di biglietto',
      'Tariffa',
      'Codice a barre',
      'Quantità',
      'Numero ordine',
      'Azienda',
      'Cellulare',
      'Commenti',
    ),
    Dutch: names(
      'Voornaam',
      'Achternaam',
      'Volledige naam',
      'E-mailadres',
      'Soort kaart',
      'Variatie',
      'Streepjescode',
      'Aantal',
      'Bestelnummer',
      'Bedrijf',
      'Telefoon',
      'Opmerkingen',
    ),
    Portuguese: names(
      'Primeiro nome',
      'Sobrenome',
      'Nome completo',
      'Endereço de e-mail',
      'Tipo de ingresso',
      'Variação',
      'Código do bilhete',
      'Quantidade',
      'Número do pedido',
      'Empresa',
      'Telemóvel',
      'Observações',
    ),
    Polish: names(
      'Imię',
      'Nazwisko',
      'Imię i nazwisko',
      'Adres e-mail',
      'Rodzaj biletu',
      'Wariant',
      'Kod kreskowy',
      'Ilość',
      'Numer zamówienia',
      'Firma',
      'Numer telefonu',
      'Uwagi',
    ),
  }
  for (const [language, cells] of Object.entries(languages)) {
    it(`knows titles in ${language}, however they are spelled`, () => {
      assert.deepEqual(fields(...cells), all)
      assert.deepEqual(fields(...cells.map((cell) => ` ${cell.toUpperCase()}:*`.replace(':', ''))), all)
      const bare = cells.map((cell) =>
        cell
          .normalize('NFD')
          .replaceAll(/[\u0300-\u036f\s-]/g, '')
          .replaceAll('ł', 'l'),
      )
      assert.deepEqual(fields(...bare), all)
    })
  }

  it('gives no title two meanings', () => {
    const seen = new Map<string, string>()
    for (const table of [titles, vagueTitles]) {
      for (const [meaning, words] of Object.entries(table)) {
        for (const key of keysOf(words)) {
          assert.equal(seen.get(key) ?? meaning, meaning, `"${key}" means two things`)
          seen.set(key, meaning)
        }
      }
    }
    assert.ok(seen.size > 500)
  })

  const beside: readonly (readonly [cells: string[], fields: (string | null)[]])[] = [
    [
      ['Name', 'Vorname'],
      ['family_name', 'given_name'],
    ],
    [
      ['Nom', 'Prénom'],
      ['family_name', 'given_name'],
    ],
    [
      ['Nome', 'Cognome'],
      ['given_name', 'family_name'],
    ],
    [
      ['Nombre', 'Apellidos'],
      ['given_name', 'family_name'],
    ],
    [
      ['Nome', 'Apelido'],
      ['given_name', 'family_name'],
    ],
    [
      ['Naam', 'Voornaam'],
      ['family_name', 'given_name'],
    ],
    [['Name'], ['full_name']],
    [
      ['First name', 'Surname', 'Name'],
      ['given_name', 'family_name', 'full_name'],
    ],
    [
      ['Buyer first name', 'Buyer last name', 'Attendee name'],
      [null, null, 'full_name'],
    ],
    [
      ['E-mail', 'Attendee e-mail', 'Invoice e-mail', 'Name'],
      [null, 'email', null, 'full_name'],
    ],
    [
      ['Invoice address name', 'Kunden-E-Mail', 'Foo'],
      ['full_name', 'email', null],
    ],
    [
      ['Name des Gastes', 'Nom de l’acheteur', 'E-Mail (Pflichtfeld)'],
      ['full_name', null, 'email'],
    ],
    [
      ['Attendee name: Given name', 'Attendee name: Family name', 'Order code', 'Code'],
      ['given_name', 'family_name', 'order', 'code'],
    ],
    [
      ['Code', 'Ticket code', 'Type', 'Product'],
      [null, 'code', null, 'product'],
    ],
    [
      ['Name', 'Type', 'Kategorie?'],
      ['full_name', null, null],
    ],
    [
      ['constructor', 'Name', '__proto__'],
      [null, 'full_name', null],
    ],
  ]
  for (const [cells, expected] of beside)
    it(`understands ${cells.join(', ')}`, () => assert.deepEqual(fields(...cells), expected))

  it('lists what is not imported', () => {
    const plan = planColumns(['Name', 'Table', '', 'E-mail', 'Invoice e-mail'], 3)
    assert.deepEqual(plan.unmatched, ['Table', 'Invoice e-mail'])
    assert.equal(plan.headerLine, 3)
    assert.equal(plan.problem, null)
  })

  it('does not guess between two columns that matter', () => {
    const plan = planColumns(['Name', 'E-Mail', 'Mail'], 1)
    assert.deepEqual(plan.ambiguous, [{ field: 'email', titles: ['E-Mail', 'Mail'], used: null }])
    assert.equal(plan.problem?.reason, 'Several columns could be the e-mail address: "E-Mail", "Mail".')
    assert.match(plan.problem?.next_step ?? '', /Say which of them it is/)
  })

  it('takes the first of two columns that do not matter, and says so', () => {
    const plan = planColumns(['Name', 'Phone', 'Mobile'], 1)
    assert.deepEqual(plan.ambiguous, [{ field: 'phone', titles: ['Phone', 'Mobile'], used: 'Phone' }])
    assert.deepEqual([plan.problem, plan.unmatched], [null, []])
  })

  it('does what a person chose', () => {
    const chosen = planColumns(['Name', 'E-Mail', 'Mail', 'Foo'], 1, {
      Mail: 'email',
      'E-Mail': null,
      Foo: 'code',
    })
    assert.deepEqual(
      chosen.columns.map(({ field }) => field),
      ['full_name', null, 'email', 'code'],
    )
    assert.equal(chosen.problem, null)
    const twice = planColumns(['Mail', 'Mail'], 1, { 'Mail (2)': 'email', Mail: null })
    assert.deepEqual(
      twice.columns.map(({ field }) => field),
      [null, 'email'],
    )
  })

  it('refuses a list in which nobody could be found, with what to do', () => {
    const plan = planColumns(['Foo', 'Ticket', 'Firma'], 1)
    assert.match(plan.problem?.reason ?? '', /No column with a name.*"Foo", "Ticket", "Firma"/)
    assert.match(plan.problem?.next_step ?? '', /First name, Last name/)
  })

  it('leaves titles alone that nobody knows', () => {
    for (const title of ['', 'Table', 'Nr.', '#', 'Price', '日付', 'Username'])
      assert.equal(matchTitle(title), undefined)
  })
})

describe('guest list layout', () => {
  const files: readonly (readonly [text: string, delimiter: string, line: number | null, columns: number])[] =
    [
      ['Name,E-Mail\n"A, B",a@example.org', ',', 1, 2],
      ['Name;Betrag\nA;1,50\nB;2,50\nC;3,50', ';', 1, 2],
      ['Name\tE-Mail\tComment\nA\t\ta, b; c | d', '\t', 1, 3],
      ['Name|E-Mail\nA|a@example.org', '|', 1, 2],
      ['Name\nMüller, Hans\nDoe, Jane', ';', 1, 1],
      ['sep=,\nName,E-Mail;Mail\nA,b', ',', 2, 2],
      ['SEP=\t\nName\tTicket', '\t', 2, 2],
      ['"sep=;"\nName;Ticket', ';', 2, 2],
      ['sep=^\nName^Ticket\n="01"^b', '^', 2, 2],
      ['Guest list, final version;;\n\nas of;1 May;\nName;Ticket;Code\nA;VIP;1', ';', 4, 3],
      ['Gäste\nVorname;Nachname\nA;B', ';', 2, 2],
      ['"Last\nname";"First\nname"\nA;B', ';', 1, 2],
      ['Anna;anna@example.org', ';', null, 2],
      ['anna@example.org\nbob@example.org', ',', null, 1],
    ]
  for (const [text, delimiter, line, columns] of files) {
    it(`finds the columns of ${JSON.stringify(text.slice(0, 40))}`, () => {
      const layout = findLayout(text)
      const { plan } = layout
      assert.deepEqual([plan.headerLine, plan.columns.length, plan.problem], [line, columns, null])
      if (columns > 1) assert.equal(layout.delimiter, delimiter)
    })
  }

  it('takes no guest for titles', () => {
    assert.equal(findLayout('Anna;Gast\nBob;Gast\n').plan.headerLine, null)
    assert.equal(findLayout('Vorname;Anna;a@example.org\n').plan.headerLine, null)
  })
})
