/** Whether files are dragged rather than text or a part of the page. */
export const holdsFiles = ({ types }: DataTransfer) => types.some((type) => /^Files$/.test(type))
