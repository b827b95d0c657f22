/** `scheme://user:password@`. As far as the last @: a password that was not encoded may hold one. */
const userinfo = /\b([a-z][a-z\d+.-]*:\/\/[^\s:@/"'`<>]*):[^\s"'`<>]*@/gi;

/** `?password=…`, `;pwd=…`, `&access_token=…`. */
const parameters = /([?&;](?:[a-z_]*password|pwd|[a-z_]*token|[a-z_]*secret)=)[^&;\s"'`<>]+/gi;

/** A text with the credentials of every connection URL in it replaced by `***`. */
export function maskCredentials(text: string): string {
  return text.replace(userinfo, '$1:***@').replace(parameters, '$1***');
}
