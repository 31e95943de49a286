import { AlertBanner } from './alert-banner.tsx'
import { UpdateNewsBanner } from './update-news.tsx'

/** What stands above everything else on a screen of staff. */
export function Banners() {
  return (
    <>
      <AlertBanner />
      <UpdateNewsBanner />
    </>
  )
}
