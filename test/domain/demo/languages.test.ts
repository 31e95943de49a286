import assert from 'node:assert/strict'
import { isLanguage, languages } from '../../../schema/texts/translate.ts'
import { planFestival } from '../../../server/domain/demo/festival.ts'
import { guestsOf } from '../../../server/domain/demo/names.ts'
import { demoWords } from '../../../server/domain/demo/translations.ts'

const now = '2026-08-01T12:00:00.000000Z'

describe('the demo', () => {
  const complete = Object.keys(demoWords.ar ?? {}).toSorted()
  for (const language of Object.keys(languages).filter(isLanguage)) {
    if (language !== 'en' && language !== 'de')
      it(`has all its words in ${language}`, () =>
        assert.deepEqual(Object.keys(demoWords[language] ?? {}).toSorted(), complete))

    it(`is called by its name in ${language}, and sells by it`, () => {
      const { event, items } = planFestival(now, language)
      assert.equal(event.settings.locale, language)
      for (const { name } of items) assert.ok(name[language], name.en)
    })

    it(`is visited by those who speak ${language}`, () =>
      assert.ok(guestsOf(language).some(({ home, share }) => home === language && share > 10)))
  }

  it('calls its lists and gates by one name, in its language', () => {
    const { checkin_lists, gates } = planFestival(now, 'de')
    assert.deepEqual(
      [...checkin_lists, ...gates].map(({ name }) => name),
      ['Haupteingang', 'VIP-Lounge', 'Workshop', 'Nord', 'Süd'],
    )
  })

  it('has no word for anything that it does not say', () => {
    const said = JSON.stringify(planFestival(now, 'en'))
    const products = ['Day ticket', 'Main entrance', 'North', 'Festival mug']
    for (const word of products) assert.ok(said.includes(`"${word}"`) && complete.includes(word), word)
  })
})
