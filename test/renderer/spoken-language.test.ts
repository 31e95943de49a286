import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { signal } from '@preact/signals'
import { clock, count, formatMoney } from '../../renderer/text/format.ts'
import { speak } from '../../renderer/text/spoken-language.ts'
import { loadTexts, translator } from '../../renderer/text/translate.ts'
import type { Language } from '../../schema/texts/translate.ts'

/** Texts that arrive when the test lets them. */
function slowTexts() {
  const waiting = new Map<Language, PromiseWithResolvers<void>>()
  const later: (() => void)[] = []
  return {
    tools: {
      load: (language: Language) => {
        const arrival = Promise.withResolvers<void>()
        waiting.set(language, arrival)
        return arrival.promise
      },
      after: (_: number, then: () => void) => later.push(then),
    },
    async arrive(language: Language) {
      waiting.get(language)?.resolve()
      await turn()
    },
    async fail(language: Language) {
      waiting.get(language)?.reject(new Error('no network'))
      await turn()
    },
    waited() {
      for (const then of later.splice(0)) then()
    },
  }
}

describe('the language that is spoken', () => {
  it('is not known before the station has said it', async () => {
    const texts = slowTexts()
    assert.equal(speak(() => null, texts.tools).value, null)
  })

  it('is never English on the way to another', async () => {
    const texts = slowTexts()
    const wanted = signal<Language | null>(null)
    const spoken = speak(() => wanted.value, texts.tools)
    wanted.value = 'ar'
    assert.equal(spoken.value, null)
    await texts.arrive('ar')
    assert.equal(spoken.value, 'ar')
    wanted.value = 'de'
    assert.equal(spoken.value, 'ar')
    await texts.arrive('de')
    assert.equal(spoken.value, 'de')
  })

  it('is the last one chosen, whichever texts arrive last', async () => {
    const texts = slowTexts()
    const wanted = signal<Language>('ar')
    const spoken = speak(() => wanted.value, texts.tools)
    wanted.value = 'de'
    await texts.arrive('de')
    await texts.arrive('ar')
    assert.equal(spoken.value, 'de')
  })

  it('is English where texts do not come, which is tried again', async () => {
    const texts = slowTexts()
    const spoken = speak(() => 'ar', texts.tools)
    await texts.fail('ar')
    assert.equal(spoken.value, 'en')
    texts.waited()
    await texts.arrive('ar')
    assert.equal(spoken.value, 'ar')
  })
})

describe('the texts of a language', () => {
  it('are there once they are loaded, and English until then', async () => {
    await loadTexts('ar')
    assert.equal(translator('ar')('yes'), 'نعم')
  })
})

describe('Arabic on screens', () => {
  it('counts with Latin digits', () => assert.equal(count(1234, 'ar'), '1,234'))
  it('tells the time with Latin digits', () =>
    assert.match(clock('2030-01-01T18:05:00Z', 'UTC', 'ar'), /^[^\d]*06:05/))
  it('writes money with Latin digits', () => assert.match(formatMoney('12.50', 'EUR', 'ar'), /12\.50/))
})
