import assert from 'node:assert/strict'
import { serverTranslator } from '../../schema/texts/server.ts'
import { languages } from '../../schema/texts/translate.ts'
import { consentPage } from '../../server/pages/consent.ts'
import { html } from '../../server/pages/html.ts'
import { page, type Reader } from '../../server/pages/layout.ts'

describe('a template of HTML', () => {
  it('escapes text between tags and in attributes', () => {
    const evil = `<script>&"'</script>`
    assert.equal(
      html`<p title="${evil}">${evil}</p>`.text,
      '<p title="&lt;script&gt;&amp;&quot;&#39;&lt;/script&gt;">&lt;script&gt;&amp;&quot;&#39;&lt;/script&gt;</p>',
    )
  })

  it('keeps pieces of HTML, joins lists, and leaves out nothing', () => {
    const rows = ['a<', 'b'].map((one) => html`<li>${one}</li>`)
    assert.equal(
      html`<ul>${rows}</ul>${null}${undefined}${false}${0}${''}`.text,
      '<ul><li>a&lt;</li><li>b</li></ul>0',
    )
  })
})

describe('a page', () => {
  const evil = '"><img src=x onerror=alert(1)>'
  const reader: Reader = { language: 'en', t: serverTranslator('en'), csrf: evil, email: evil }

  it('says nothing unescaped, whatever it is about', () => {
    const shown = consentPage(reader, {
      name: evil,
      madeBy: evil,
      redirectUri: evil,
      scopes: ['read', 'write', 'profile'],
      organizers: [{ id: 1, name: evil, isChosen: true }],
      query: evil,
      isNothingChosen: true,
      withoutFactor: [evil],
    })
    assert.ok(!shown.includes('<img') && shown.includes('&quot;&gt;&lt;img'))
  })

  it('says which language it is in, and to which side that is written', () => {
    for (const language of Object.keys(languages)) {
      const shown = page({ ...reader, language, t: serverTranslator(language) }, 'x', null)
      const direction = language === 'ar' ? 'rtl' : 'ltr'
      assert.ok(shown.includes(`<html lang="${language}" dir="${direction}">`))
    }
  })
})
