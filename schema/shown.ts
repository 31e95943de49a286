import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import type { Multilingual } from './multilingual.ts'

/** The shapes of what the interface shows: JSON Schema, and the type that it stands for. */
type Shown<T> = TUnsafe<T>

type Shapes = Readonly<Record<string, TSchema>>

export const shownText: Shown<string> = Type.Unsafe({ type: 'string' })
export const shownTextOrNull: Shown<string | null> = Type.Unsafe({ type: ['string', 'null'] })
export const shownWhole: Shown<number> = Type.Unsafe({ type: 'integer' })
export const shownWholeOrNull: Shown<number | null> = Type.Unsafe({ type: ['integer', 'null'] })
export const shownNumberOrNull: Shown<number | null> = Type.Unsafe({ type: ['number', 'null'] })
export const shownFlag: Shown<boolean> = Type.Unsafe({ type: 'boolean' })
export const shownMoment: Shown<string> = Type.Unsafe({ type: 'string', format: 'date-time' })
export const shownMomentOrNull: Shown<string | null> = Type.Unsafe({
  type: ['string', 'null'],
  format: 'date-time',
})
export const shownNames: Shown<Multilingual> = Type.Unsafe({
  type: 'object',
  additionalProperties: { type: 'string' },
})

/** One of a few words. */
export const shownChoice = <const T extends string>(words: readonly T[]): Shown<T> =>
  Type.Unsafe({ type: 'string', enum: words })

/** The same, or null. */
export const shownOrNull = <S extends TSchema>(shape: S): Shown<Static<S> | null> =>
  Type.Unsafe({ anyOf: [shape, { type: 'null' }] })

/** A list of something. */
export const shownList = <S extends TSchema>(items: S): Shown<readonly Static<S>[]> =>
  Type.Unsafe({ type: 'array', items })

type Always<P extends Shapes> = { readonly [K in keyof P]: Static<P[K]> }
type Sometimes<P extends Shapes> = { readonly [K in keyof P]?: Static<P[K]> }

/** An object with these properties always, and some others sometimes. */
export const shownRecord = <P extends Shapes, O extends Shapes = Readonly<Record<never, never>>>(
  properties: P,
  optional?: O,
): Shown<Always<P> & Sometimes<O>> =>
  Type.Unsafe({
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
  })
