import { html } from './html.ts'
import { form, page, type Reader } from './layout.ts'

/** Where browsers ask for the script of the page that opens links from mails. */
export const linkScriptPath = '/account/mailed-link.js'

/**
 * Sends the secret that stands behind the # of a link, which browsers keep to themselves, in the form of the page, and takes
 * it out of the address.
 */
export const linkScript = `const { hash, pathname } = location
const token = new URLSearchParams(hash.slice(1)).get('token')
if (token !== null) {
  history.replaceState(null, '', pathname)
  const form = document.getElementById('link').form
  form.elements.token.value = token
  form.submit()
}
`

/** Opens a link from a mail: by itself where scripts run, or with the link put into its field. */
export const mailedLinkPage = (reader: Reader, action: string): string =>
  page(
    reader,
    reader.t('page.link-title'),
    html`<section>${form(
      reader,
      action,
      html`<p class="field"><label for="link">${reader.t('page.link-paste')}</label><input id="link" name="token" autocomplete="off" required></p>
<p class="buttons"><button>${reader.t('page.link-open')}</button></p>`,
    )}</section>
<script type="module" src="${linkScriptPath}"></script>`,
  )
