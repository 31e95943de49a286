import { exportAddress } from '../api/link-api.ts'
import { Download } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'

/** Saves what was not sent as a file, to be carried to the server by hand. */
export function ExportLink() {
  const { connection, voice } = useApp()
  return (
    <Download icon="save" href={exportAddress} onPress={() => connection.send({ type: 'exported' })}>
      {voice.t('queue.export')}
    </Download>
  )
}
