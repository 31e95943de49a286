/** Which characters a font can show. */
export type Coverage = (character: string) => boolean

const windowsSpecials = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** The characters of WinAnsi (Windows-1252), all that the standard fonts of PDF have. */
export const winAnsi: Coverage = (character) =>
  /^[ -~\u00a1-\u00ff]$/.test(character) || windowsSpecials.includes(character)

/** The characters of the font that barcode images are labelled in. */
export const ascii: Coverage = (character) => /^[ -~]$/.test(character)

/**
 * Letters written with those of basic Latin: the Latin and Cyrillic ones as in passports (ICAO Doc 9303 part 3,
 * section 6), the Greek ones as in ISO 843, and the punctuation that office programs insert.
 */
const replacements: ReadonlyMap<string, string> = new Map(
  `ä=ae ö=oe ü=ue ß=ss æ=ae œ=oe ø=oe å=aa ð=d đ=d þ=th ħ=h ı=i ĳ=ij ĸ=k ł=l ŋ=n ŧ=t ə=e
  а=a б=b в=v г=g ґ=g д=d ђ=d е=e є=ie ё=e ж=zh з=z ѕ=dz и=i і=i ї=i й=i ј=j к=k л=l љ=lj м=m н=n њ=nj о=o п=p р=r с=s
  т=t ћ=c у=u ў=u ф=f х=kh ц=ts ч=ch џ=dz ш=sh щ=shch ъ=ie ы=y ь= э=e ю=iu я=ia
  α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o
  ‘=' ’=' ‚=' ‛=' “=" ”=" „=" «=" »=" ‹=' ›=' –=- —=- −=- ‐=- ‑=- •=* ·=. ×=x …=... €=EUR £=GBP ™=TM`
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
)

/**
 * A text as a font can show it: what the font has stays, other letters lose their accents or are written in basic
 * Latin, and what cannot be written at all is a visible question mark, one for each character that a reader sees.
 */
export function printable(text: string, covers: Coverage): string {
  const segments = [...new Intl.Segmenter('en').segment(text.normalize('NFC').replaceAll(/\s+/g, ' ').trim())]
  const characters = segments.map(({ segment }) => segment)
  return characters.map((character, place) => spell(character, characters[place + 1] ?? '', covers)).join('')
}

function spell(character: string, next: string, covers: Coverage): string {
  if (covers(character)) return character
  const whole = inLatin(character, next)
  if (whole !== undefined) return whole
  const base = [...character.normalize('NFKD')].filter((letter) => !/\p{M}/u.test(letter))
  const letters = base.map((letter) => (covers(letter) ? letter : inLatin(letter, next)))
  return letters.includes(undefined) || base.length === 0 ? '?' : letters.join('')
}

/** Several letters for a capital are capitals only in front of another capital: Щука is Shchuka. */
function inLatin(letter: string, next: string): string | undefined {
  const lower = letter.toLowerCase()
  const spelled = replacements.get(lower)
  if (spelled === undefined || letter === lower) return spelled
  return /\p{Lu}/u.test(next) ? spelled.toUpperCase() : spelled.slice(0, 1).toUpperCase() + spelled.slice(1)
}
