import type { Scheme } from '../../../contract/endpoints/looks/accents.ts'
import type { InlinePicture, Mail } from '../../../mail/transport.ts'
import { Html, html } from '../../../wire/html.ts'
import type { Db } from '../../db/pool.ts'
import { LOGO } from '../../../contract/endpoints/looks/logo-limits.ts'
import { type BrandedPlace, findMailLogo } from '../../store/branding/sender.ts'
import { withoutLinks } from '../without-links.ts'
import { look } from './mail-styles.ts'

const MARKER = '<!-- logo -->'

/** Where a page has the logo. A mail is sent with the logo of that moment, so that no job carries a picture. */
export const LOGO_HERE = new Html(MARKER)

export interface MailLogo {
  picture: InlinePicture
  /** The background that it is for. */
  scheme: Scheme
  width: number
  height: number
  /** For readers without pictures; "" if the name stands beside it. */
  alt: string
}

/** Puts the logo in its place as a part of the mail; without one, nothing stands there. */
export function withLogo<M extends Pick<Mail, 'html'>>(
  mail: M,
  logo: MailLogo | undefined,
): M & Pick<Mail, 'pictures'> {
  const place = logo ? pictureOf(logo).markup : ''
  const isPlaced = logo && mail.html.includes(MARKER)
  return { ...mail, html: mail.html.replaceAll(MARKER, () => place), ...(isPlaced && { pictures: [logo.picture] }) }
}

/** The logo for a mail. No mail waits or fails for it: it is left out if it cannot be read or is no small PNG. */
export async function readLogo(db: Db, place: BrandedPlace): Promise<MailLogo | undefined> {
  const found = await findMailLogo(db, place).catch(() => undefined)
  const size = found && sizeOf(found.png)
  if (!size) return undefined
  const picture = {
    cid: `logo-${found.version.slice(0, 16)}@strongroom`,
    content_type: 'image/png' as const,
    content: found.png,
  }
  return { picture, scheme: found.scheme, alt: withoutLinks(found.alt), ...size }
}

/** Logos that an earlier release has drawn may have as many as they have pixels. */
const MOST_BYTES = 5 * LOGO.width * LOGO.height
const SIGNATURE = '89504e470d0a1a0a0000000d49484452'

/** Pixels on the page, from the header of a PNG; undefined if it is none that the service has drawn. */
function sizeOf(png: Buffer): { width: number; height: number } | undefined {
  if (png.length > MOST_BYTES || png.toString('hex', 0, 16) !== SIGNATURE || png.length < 24) return undefined
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (width < 1 || width > LOGO.width || height < 1 || height > LOGO.height) return undefined
  const scale = Math.min(1, BOX.width / width, BOX.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const BOX = { width: 200, height: 48 }

/** In dark, a logo for light backgrounds stands on white, as in the dashboard. */
const pictureOf = ({ picture, scheme, width, height, alt }: MailLogo): Html => html`
  <div ${look(scheme === 'light' ? 'logo' : 'logoOnDark')}>
    <img
      src="cid:${picture.cid}"
      width="${width}"
      height="${height}"
      alt="${alt}"
      style="display: block; width: ${width}px; height: ${height}px; border: 0"
    />
  </div>
`
