import assert from 'node:assert/strict'
import { consentPage } from '../../server/pages/consent.ts'
import { html } from '../../server/pages/html.ts'
import { languages, page, type Reader } from '../../server/pages/layout.ts'
import { english } from '../../server/pages/words-en.ts'

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
  const reader: Reader = { language: 'en', words: english, csrf: evil, email: evil }

  it('says nothing unescaped, whatever it is about', () => {
    const shown = consentPage(reader, {
      name: evil,
      madeBy: evil,
      redirectUri: evil,
      scopes: ['read', 'write', 'profile'],
      organizers: [{ id: 1, name: evil, isChosen: true }],
      query: evil,
      isNothingChosen: true,
    })
    assert.ok(!shown.includes('<img') && shown.includes('&quot;&gt;&lt;img'))
  })

  it('says in every language the same things', () => {
    for (const [code, { words }] of Object.entries(languages)) {
      assert.deepEqual(Object.keys(words).toSorted(), Object.keys(english).toSorted(), code)
      assert.ok(page({ ...reader, language: code, words }, 'x', null).includes(`<html lang="${code}">`))
    }
  })
})
