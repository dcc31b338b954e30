import { render } from 'preact'
import { App } from './app.tsx'
import { startLive } from './base/live.ts'

void startLive()
const place = document.getElementById('page')!
place.replaceChildren()
render(<App />, place)
