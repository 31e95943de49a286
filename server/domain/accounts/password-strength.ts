import { dictionary } from '@zxcvbn-ts/language-common'

/** The fewest and the most characters of a password. The most keeps hashing from being made to work long. */
export const shortestPassword = 8
const longestPassword = 512

/** Why a password is not taken: a word that the page has a sentence for. */
export type PasswordProblem = 'short' | 'long' | 'common' | 'personal' | 'pattern'

/** Words that most of the passwords that are guessed first are made of, in small letters without decoration. */
const common = new Set(
  `aaaaaa abc abcd access action admin administrator adobe alexander alexandra amanda amsterdam andrea andrew andreas
  angel angela anthony apple arsenal asdf asdfgh asdfghjkl asshole austin autumn baby babygirl badboy bailey banana
  barcelona baseball basketball batman beautiful benjamin berlin bigdick blahblah blessed blink boomer booboo boston
  brandon brandy buster butterfly butthead calvin camaro cameron captain carlos carolina change changeme changeit
  charles charlie cheese chelsea cherry chester chicago chicken chocolate chris christian christine christopher
  cocacola coffee columbia compaq computer cookie corvette cowboy crystal dallas daniel daniela danielle dakota david
  default diablo diamond dolphin dragon dreams eagles easter edward einstein elephant elizabeth eminem enter event
  everton explorer family fender ferrari fernando festival fighter fishing flower football forever formula frankfurt
  freedom friend friends fuckoff fuckyou fussball gabriel gandalf garfield gatehouse gateway geheim george ginger
  giants gladiator godzilla golden golfer google guest guitar gunner hallo hallowelt hamburg hammer hannah happy
  harley hello helloworld hockey holiday hottie house hunter iceman iloveyou internet ireland jackass jackson jaguar
  james jasmine jason jasper jennifer jeremy jessica jesus johnny johnson jonathan jordan joseph joshua juliana
  junior justin katrin katze killer kitten knight lakers lauren legend letmein liebling liverpool login london
  lollipop louise love lovely loveme lover loveyou lucky madison maggie manager manchester marina marlboro martin
  master matrix matthew maverick melissa mercedes merlin metallica michael michelle microsoft midnight mickey
  mississippi monday money monkey monster morgan mother mountain mustang mynoob mypassword natasha naruto newyork
  nicholas nicole ninja nintendo nothing november oliver orange packers panther parker parola pass passport passw
  passwd passwort password passwordpassword patricia patrick peanut pepper phoenix picard pictures player please
  pokemon porsche power prince princess private purple qazwsx qazwsxedc qwer qwert qwertz qwertzu qwertzuiop qwerty
  qwertyu qwertyuiop rabbit rachel raiders rainbow rangers rebecca redsox remember richard robert rolltide rosebud
  rush samantha samsung sandra saturn schalke schatz scooby scooter scorpio scorpion sebastian secret secure security
  senha september server sexy shadow shannon shopping sierra silver simpson simpsons skywalker slipknot smokey snoopy
  snowball soccer sommer sonnenschein sophie spanky sparky spiderman spring stadium starlight startrek starwars
  station steelers stella stephanie steven strawberry student summer sunday sunflower sunshine super superman
  superstar superuser surfer sweet swordfish system taylor teacher teens tennis teresa test tester testing testtest
  thomas thunder thursday ticket tickets tiffany tigers tigger tinker titanic topsecret toyota trustno turtle twitter
  unicorn united unknown user valentina vanessa victoria vincent viking volleyball voyager walter warrior webmaster
  welcome welcometo whatever william willkommen willow wilson winner winston winter wizard wolfgang xavier yamaha
  yankees yellow zaq zaqwsx zxcvbn zxcvbnm zxcvb zeppelin`.split(/\s+/),
)

/** The passwords that were seen most often where passwords were stolen, as far as they are long enough. */
const stolen = new Set(dictionary['passwords-common'].filter((word) => word.length >= shortestPassword))

const disguises: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
const walks = rows.flatMap((row) => [row, [...row].reverse().join('')])

/** Whether a text is a few signs over and over, or one walk along the alphabet, the digits or a row of keys. */
function isPattern(text: string): boolean {
  if (new Set(text).size <= 3) return true
  if (/^(.{1,4})\1+$/u.test(text)) return true
  if (/^\d{8}$/.test(text) && /^(19|20)\d\d|(19|20)\d\d$/.test(text)) return true
  return walks.some((walk) => (walk + walk).includes(text))
}

/** What a password is at its heart: without its digits and signs at both ends, and with letters for signs that look like them. */
function heartsOf(lower: string): string[] {
  const bare = lower.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const shown = [...lower.replace(/[^a-z@$!\d]+$|^[^a-z@$!\d]+/g, '')]
    .map((sign) => disguises[sign] ?? sign)
    .join('')
  const inner = [...lower.replace(/[\d\W_]{1,4}$/, '')].map((sign) => disguises[sign] ?? sign).join('')
  return [lower, bare, shown, inner, bare.replace(/[^a-z]/g, '')]
}

/**
 * Why a new password is not taken, or null. Nothing is asked of its signs; it must be long enough and none of those that
 * are guessed first: common words and passwords, walks along the keys, and what is known of the person.
 */
export function passwordProblem(password: string, known: readonly string[] = []): PasswordProblem | null {
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < shortestPassword) return 'short'
  if (length > longestPassword) return 'long'
  const lower = text.toLowerCase()
  if (isPattern(lower)) return 'pattern'
  const hearts = heartsOf(lower)
  if (hearts.some((heart) => common.has(heart) || (heart.length > 3 && isPattern(heart)))) return 'common'
  const own = known
    .flatMap((word) => [word, ...word.split(/[@.\s_-]+/)])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 4)
  if (hearts.some((heart) => own.includes(heart))) return 'personal'
  return hearts.some((heart) => stolen.has(heart)) ? 'common' : null
}
