/** The logo of the product, as in favicon.svg. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <path d="M16 2 4.5 6.5v9.2c0 7 4.8 11.9 11.5 14.3 6.7-2.4 11.5-7.3 11.5-14.3V6.5z" fill="#5fc4ce" />
      <path
        d="m10.5 15.8 4 4 7.2-7.8"
        fill="none"
        stroke="#0b2a2d"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
