/** Texts of the login page, and of the login over a page whose session has ended. */
export const loginTexts = {
  product: 'Database Studio',
  logInAgain: 'Log in again',
  sessionEnded: 'Your session has ended. Unsaved changes are preserved.',
  user: 'User',
  password: 'Password',
  logIn: 'Log in',
};
