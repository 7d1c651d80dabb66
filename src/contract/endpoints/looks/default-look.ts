import type { Look } from '../watermarks.ts'

/** A setting must not make the mark invisible: a lower opacity is drawn as this one. */
export const LEAST_OPACITY = 0.15

/** Default of a new placement, also drawn where a team has none: time, name, IP and e-mail in the middle. */
export const DEFAULT_LOOK: Look = {
  custom_text: '',
  color: '#333333',
  opacity: 0.5,
  font_size: 18,
  rotation: 0,
  hposition: 'center',
  vposition: 'center',
  display_user_name: true,
  display_user_email: true,
  display_ip_address: true,
  display_time: true,
  display_workspace_name: false,
}
