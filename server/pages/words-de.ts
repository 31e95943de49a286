import type { Words } from './words-en.ts'

/** What the pages for people say, in German. */
export const german: Words = {
  product: 'Gatehouse',
  skip: 'Zum Inhalt',
  navigation: 'Ihr Konto',
  account: 'Konto',
  applications: 'Anwendungen',
  logOut: 'Abmelden',
  back: 'Zurück',
  save: 'Speichern',
  saved: 'Gespeichert.',
  mended: 'Bitte sehen Sie sich die markierten Angaben an.',

  logIn: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  forgotten: 'Passwort vergessen?',
  wrongLogin: 'E-Mail-Adresse oder Passwort stimmen nicht.',
  tooOften: (minutes) =>
    minutes === 1
      ? 'Das wurde zu oft versucht. Bitte versuchen Sie es in einer Minute wieder.'
      : `Das wurde zu oft versucht. Bitte versuchen Sie es in ${minutes} Minuten wieder.`,
  tooBusy: 'Es melden sich gerade zu viele auf einmal an. Bitte versuchen Sie es gleich noch einmal.',
  loggedOut: 'Sie sind abgemeldet.',
  toGoOn: (application) => `Melden Sie sich an, um zu ${application} weiterzugehen.`,

  codeTitle: 'Zweiter Schritt',
  code: 'Code',
  codeHint: 'Die sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
  wrongCode: 'Dieser Code stimmt nicht oder wurde schon benutzt. Die App zeigt alle 30 Sekunden einen neuen.',
  goOn: 'Weiter',
  codesLeft: (count) =>
    count === 1
      ? 'Sie haben noch einen Wiederherstellungscode. Erzeugen Sie bald neue.'
      : `Sie haben noch ${count} Wiederherstellungscodes.`,

  forgottenTitle: 'Passwort vergessen',
  forgottenHint:
    'Geben Sie Ihre E-Mail-Adresse an. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  sendLink: 'Link schicken',
  linkSent:
    'Wenn es ein Konto mit dieser Adresse gibt, ist eine E-Mail mit einem Link unterwegs. Er gilt eine Stunde.',
  toLogIn: 'Zur Anmeldung',
  resetTitle: 'Neues Passwort',
  newPassword: 'Neues Passwort',
  repeatPassword: 'Noch einmal dasselbe',
  passwordHint:
    'Mindestens 8 Zeichen; 15 oder mehr sind besser. Mehrere Wörter hintereinander merken sich leicht.',
  setPassword: 'Passwort setzen',
  passwordSet: 'Ihr Passwort ist geändert. Sie können sich damit anmelden.',
  deadLink: 'Dieser Link gilt nicht mehr. Links gelten eine Stunde lang und nur einmal.',
  newLink: 'Neuen Link anfordern',

  passwordProblems: {
    short: 'Das ist zu kurz: mindestens 8 Zeichen.',
    long: 'Das ist zu lang: höchstens 512 Zeichen.',
    common:
      'Das ist eines der Passwörter, die zuerst erraten werden. Wählen Sie eines, das sonst niemand wählt.',
    personal: 'Das ähnelt Ihrem Namen oder Ihrer Adresse, die andere kennen.',
    pattern: 'Das ist ein einfaches Muster, das schnell erraten wird.',
  },
  notTheSame: 'Das ist nicht dasselbe wie oben.',
  missing: 'Bitte füllen Sie das aus.',
  wrongPassword: 'Das ist nicht Ihr Passwort.',

  profile: 'Profil',
  fullname: 'Name',
  language: 'Sprache',
  timezone: 'Zeitzone',
  changePassword: 'Passwort ändern',
  oldPassword: 'Ihr bisheriges Passwort',
  passwordChanged: 'Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.',
  secondFactor: 'Zwei-Faktor-Anmeldung',
  secondFactorOff: 'Aus: Zum Anmelden genügt Ihr Passwort.',
  secondFactorOn: 'An: Beim Anmelden wird auch nach einem Code Ihrer Authenticator-App gefragt.',
  turnOn: 'Einrichten',
  turnOff: 'Ausschalten',
  turnedOff: 'Die Zwei-Faktor-Anmeldung ist aus.',
  setUpTitle: 'Zwei-Faktor-Anmeldung einrichten',
  setUpHint:
    'Scannen Sie dieses Bild mit einer Authenticator-App auf Ihrem Telefon und geben Sie dann die sechs Ziffern ein, die sie zeigt.',
  qrLabel: 'QR-Code für die Authenticator-App',
  byHand: 'Wenn Sie es nicht scannen können, geben Sie diesen Schlüssel in die App ein:',
  codesTitle: 'Ihre Wiederherstellungscodes',
  codesHint:
    'Mit jedem davon können Sie sich einmal anmelden, wenn Sie Ihr Telefon nicht haben. Drucken Sie sie aus oder verwahren Sie sie gut: Sie werden nur dieses eine Mal gezeigt.',
  codesKept: 'Ich habe sie verwahrt',
  newCodes: 'Neue Wiederherstellungscodes',
  sessions: 'Wo Sie angemeldet sind',
  thisOne: 'dieser Browser',
  lastSeen: 'zuletzt gesehen',
  end: 'Dort abmelden',
  endAll: 'Überall abmelden',
  endHint:
    'Nötig, um eine Anmeldung zu beenden. „Überall abmelden“ beendet alle, auch diese. Anwendungen arbeiten weiter.',
  unknownBrowser: 'Unbekanntes Programm',

  ownApplications: 'Ihre Anwendungen',
  ownHint: 'Programme, die Sie registriert haben, damit andere sie mit ihrem Konto verbinden können.',
  none: 'Noch keine.',
  clientId: 'Client-ID',
  clientSecret: 'Client-Geheimnis',
  redirectUris: 'Rücksprungadressen',
  redirectHint:
    'Eine je Zeile, vollständig ausgeschrieben. Sie beginnen mit https://; auf dem eigenen Rechner geht auch http://localhost.',
  kind: 'Art',
  confidential: 'Läuft auf einem Server und kann ein Geheimnis wahren',
  public: 'Läuft im Browser oder auf dem Telefon und kann kein Geheimnis wahren',
  register: 'Anwendung registrieren',
  name: 'Name',
  secretOnce:
    'Kopieren Sie das Geheimnis jetzt: Es wird nur dieses eine Mal gezeigt. Verwahren Sie es wie ein Passwort.',
  secretTitle: (name) => `Das Geheimnis von ${name}`,
  registeredTitle: (name) => `${name} ist registriert`,
  newSecret: 'Neues Geheimnis',
  newSecretHint: 'Das alte Geheimnis gilt dann sofort nicht mehr.',
  remove: 'Löschen',
  removeTitle: (name) => `${name} löschen?`,
  removeHint: 'Niemand kann diese Anwendung dann noch benutzen. Das lässt sich nicht zurücknehmen.',
  redirectProblems: {
    form: 'ist keine vollständige Adresse.',
    fragment: 'enthält ein #, was nicht erlaubt ist.',
    insecure: 'beginnt nicht mit https://.',
    credentials: 'enthält einen Benutzernamen oder ein Passwort.',
  },
  tooMany: 'Das sind zu viele: höchstens 20.',
  tooLong: 'Das ist zu lang.',
  letIn: 'Autorisierte Anwendungen',
  letInHint: 'Diese können in Ihrem Namen handeln, bis Sie es beenden.',
  since: 'seit',
  stop: 'Beenden',
  stopped: 'Die Anwendung kann nicht mehr in Ihrem Namen handeln.',

  consentTitle: (name) => `${name} verbinden?`,
  consentLasts: 'Das gilt, bis Sie es unter „Autorisierte Anwendungen“ beenden.',
  consentHint: (name, email) => `${name} möchte in Ihrem Namen handeln, ${email}. Die Anwendung könnte dann:`,
  scopes: {
    read: 'Alles lesen, was Sie bei den unten gewählten Veranstaltern sehen dürfen',
    write: 'Alles ändern, was Sie bei den unten gewählten Veranstaltern ändern dürfen',
    profile: 'Ihren Namen, Ihre E-Mail-Adresse, Sprache und Zeitzone sehen',
  },
  chooseOrganizers: 'Bei welchen Veranstaltern?',
  chooseOne: 'Wählen Sie mindestens einen Veranstalter.',
  noOrganizer: 'Sie gehören zu keinem Veranstalter, also könnte diese Anwendung nichts tun.',
  returnTo: 'Danach werden Sie weitergeleitet zu',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  madeBy: 'Registriert von',

  inviteTitle: 'Einladung',
  inviteHint: (team, organizer) => `Sie sind in das Team ${team} von ${organizer} eingeladen.`,
  inviteAs: (email) => `Sie sind angemeldet als ${email}.`,
  inviteOther: 'Abmelden und ein anderes Konto benutzen',
  join: 'Beitreten',
  createAccount: 'Konto anlegen',
  haveAccount: 'Ich habe ein Konto',
  inviteDead: 'Diese Einladung gilt nicht mehr. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  joined: 'Sie gehören jetzt zum Team.',

  errorTitle: 'Das hat nicht geklappt',
  staleForm:
    'Diese Seite war zu lange offen oder wurde von anderswo abgeschickt. Gehen Sie zurück, laden Sie sie neu und versuchen Sie es noch einmal.',
  unknownApplication:
    'Das Programm, das Sie hierher geschickt hat, ist auf diesem Server nicht bekannt. Es wurde nichts erlaubt.',
  badRedirect:
    'Das Programm, das Sie hierher geschickt hat, möchte Sie an eine Adresse weiterleiten, die es nicht registriert hat. Es wurde nichts erlaubt.',
  repeated:
    'Das Programm, das Sie hierher geschickt hat, sagt dasselbe zweimal auf verschiedene Weise. Es wurde nichts erlaubt.',
  notFound: 'Diese Seite gibt es nicht.',
  failed: 'Hier ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.',
}
