import { Icon } from '../parts/icon.tsx'
import { useAround } from '../scanning/surroundings.ts'
import { exportAddress } from './link-api.ts'

/** Saves what was not sent as a file, to be carried to the server by hand. */
export function ExportLink() {
  const { connection, voice } = useAround()
  return (
    <a
      class="button plain"
      href={exportAddress}
      download
      onClick={() => connection.send({ type: 'exported' })}
    >
      <Icon name="save" />
      <span>{voice.t('queue.export')}</span>
    </a>
  )
}
