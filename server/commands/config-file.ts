import { type Command, InvalidArgumentError, type Option } from 'commander'
import { impossible } from '../errors.ts'
import { textOf } from './secrets.ts'

/** What a file may say besides options: where editors find its schema. */
const schemaKey = '$schema'

const nameOf = ({ long }: Option): string => long?.replace(/^--/, '') ?? ''

/** Whether an option may be given several times, which is a list in a file. */
const isList = (option: Option): boolean => Array.isArray(option.defaultValue)

/** The options of a command that a file may have. */
const optionsOf = (command: Command): readonly Option[] =>
  command.options.filter(
    (option) => !option.hidden && !['config', 'help', 'json', ''].includes(nameOf(option)),
  )

function contentOf(file: string): Readonly<Record<string, unknown>> {
  const text = textOf(file)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw impossible(`${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw impossible(`${file} has to be an object of options, such as {"port": 8000}.`)
  return { ...content }
}

/** One value as the command line would give it, read by the option's own rule. */
function readOne(option: Option, value: unknown, before: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new InvalidArgumentError('Give a text or a number.')
  return option.parseArg ? option.parseArg(String(value), before) : String(value)
}

function readValue(option: Option, value: unknown): unknown {
  if (option.isBoolean()) {
    if (typeof value !== 'boolean') throw new InvalidArgumentError('Give true or false.')
    return value
  }
  if (!isList(option)) return readOne(option, value, undefined)
  if (!Array.isArray(value)) throw new InvalidArgumentError('Give a list.')
  return value.reduce<unknown>((before, one) => readOne(option, one, before), [])
}

/**
 * Takes the options of a command from a file where the command line does not give them. Throws with a sentence where the
 * file has an option that there is not, or a value that the option does not take.
 */
export function applyConfigFile(command: Command, file: string): void {
  const options = new Map(optionsOf(command).map((option) => [nameOf(option), option]))
  for (const [name, value] of Object.entries(contentOf(file))) {
    if (name === schemaKey) continue
    const option = options.get(name)
    if (!option)
      throw impossible(`${file}: there is no option "${name}". There are ${[...options.keys()].join(', ')}.`)
    const attribute = option.attributeName()
    if (command.getOptionValueSource(attribute) === 'cli') continue
    try {
      command.setOptionValueWithSource(attribute, readValue(option, value), 'config')
    } catch (cause) {
      if (!(cause instanceof InvalidArgumentError)) throw cause
      throw impossible(`${file}: "${name}" cannot be ${JSON.stringify(value)}. ${cause.message}`)
    }
  }
}

const typeOf = (option: Option) => {
  if (option.isBoolean()) return { type: 'boolean' }
  if (isList(option)) return { type: 'array', items: { type: 'string' } }
  if (option.argChoices) return { enum: option.argChoices }
  return /^<number>$/.test(option.flags.split(' ').at(-1) ?? '')
    ? { type: 'integer', minimum: 0 }
    : { type: 'string' }
}

/** The JSON schema of such a file, for editors. */
export const configSchema = (command: Command) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `Options of gatehouse ${command.name()}`,
  type: 'object',
  additionalProperties: false,
  properties: {
    [schemaKey]: { type: 'string' },
    ...Object.fromEntries(
      optionsOf(command).map((option) => [
        nameOf(option),
        {
          ...typeOf(option),
          description: option.description,
          ...(option.defaultValue === undefined ? {} : { default: option.defaultValue }),
        },
      ]),
    ),
  },
})
