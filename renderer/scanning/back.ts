/** The entry of the history that Back takes away instead of the page. */
const ahead = { gatehouse: 'ahead' }

/**
 * Has the Back of a browser and of its mouse close what is open, and never leave the page: a step ahead of the page is put
 * into the history with the first touch or key after each Back. (Browsers pass over steps that no person has made.)
 */
export function listenToBack(back: () => void): () => void {
  const isAhead = () => history.state?.gatehouse === ahead.gatehouse
  const stepAhead = () => {
    if (!isAhead()) history.pushState(ahead, '')
  }
  const gone = () => {
    if (!isAhead()) back()
  }
  window.addEventListener('popstate', gone)
  for (const touch of ['pointerdown', 'keydown']) window.addEventListener(touch, stepAhead, { capture: true })
  return () => {
    window.removeEventListener('popstate', gone)
    for (const touch of ['pointerdown', 'keydown'])
      window.removeEventListener(touch, stepAhead, { capture: true })
  }
}
