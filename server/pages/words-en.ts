/** What the pages for people say, in English. Every other language says the same things. */
export const english = {
  product: 'Gatehouse',
  skip: 'To the content',
  navigation: 'Your account',
  account: 'Account',
  applications: 'Applications',
  logOut: 'Log out',
  back: 'Back',
  save: 'Save',
  saved: 'Saved.',
  mended: 'Please look at what is marked below.',

  logIn: 'Log in',
  email: 'E-mail address',
  password: 'Password',
  forgotten: 'Forgotten your password?',
  wrongLogin: 'The e-mail address or the password is not right.',
  tooOften: (minutes: number) =>
    minutes === 1
      ? 'That was tried too often. Please try again in a minute.'
      : `That was tried too often. Please try again in ${minutes} minutes.`,
  tooBusy: 'Too many people are logging in at once. Please try again in a moment.',
  loggedOut: 'You are logged out.',
  toGoOn: (application: string) => `Log in to go on to ${application}.`,

  codeTitle: 'Second step',
  code: 'Code',
  codeHint: 'The six digits that your authenticator app shows, or one of your recovery codes.',
  wrongCode: 'This code is not right, or it was used before. Apps show a new one every 30 seconds.',
  goOn: 'Go on',
  codesLeft: (count: number) =>
    count === 1
      ? 'You have one recovery code left. Make new ones soon.'
      : `You have ${count} recovery codes left.`,

  forgottenTitle: 'Forgotten password',
  forgottenHint:
    'Say what your e-mail address is. We send you a link with which you can choose a new password.',
  sendLink: 'Send the link',
  linkSent:
    'If there is an account with this address, a mail with a link is on its way. It works for one hour.',
  toLogIn: 'To the login',
  resetTitle: 'A new password',
  newPassword: 'New password',
  repeatPassword: 'The same once more',
  passwordHint:
    'At least 8 characters; 15 or more are better. Several words in a row are easy to keep in mind.',
  setPassword: 'Set the password',
  passwordSet: 'Your password is changed. You can log in with it now.',
  deadLink: 'This link does not work any more. Links are good for one hour and for one use.',
  newLink: 'Ask for a new link',

  passwordProblems: {
    short: 'This is too short: use at least 8 characters.',
    long: 'This is too long: use at most 512 characters.',
    common: 'This is one of the passwords that are guessed first. Choose one that nobody else would.',
    personal: 'This is much like your name or your address, which others know.',
    pattern: 'This is a simple pattern, which is guessed quickly.',
  },
  notTheSame: 'This is not the same as above.',
  missing: 'Please fill this in.',
  wrongPassword: 'This is not your password.',

  profile: 'Profile',
  fullname: 'Name',
  language: 'Language',
  timezone: 'Time zone',
  changePassword: 'Change the password',
  oldPassword: 'Your password now',
  passwordChanged: 'Your password is changed. You are logged out everywhere else.',
  secondFactor: 'Two-factor authentication',
  secondFactorOff: 'Off: your password alone is enough to log in.',
  secondFactorOn: 'On: to log in, a code of your authenticator app is asked for as well.',
  turnOn: 'Set up',
  turnOff: 'Turn off',
  turnedOff: 'Two-factor authentication is off.',
  setUpTitle: 'Set up two-factor authentication',
  setUpHint:
    'Scan this picture with an authenticator app on your telephone, then type the six digits that it shows.',
  qrLabel: 'QR code for the authenticator app',
  byHand: 'If you cannot scan it, type this key into the app:',
  codesTitle: 'Your recovery codes',
  codesHint:
    'Each of these lets you log in once when you do not have your telephone. Print them or keep them in a safe place: they are shown this once only.',
  codesKept: 'I have kept them',
  newCodes: 'New recovery codes',
  sessions: 'Where you are logged in',
  thisOne: 'this browser',
  lastSeen: 'last seen',
  end: 'Log out there',
  endAll: 'Log out everywhere',
  endHint:
    'Needed to end a login. “Log out everywhere” ends every one, this one too. Applications keep working.',
  unknownBrowser: 'Unknown program',

  ownApplications: 'Your applications',
  ownHint: 'Programs that you have registered so that people can connect them with their accounts.',
  none: 'None yet.',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  redirectUris: 'Redirect URLs',
  redirectHint:
    'One per line, written out in full. They begin with https://; on your own computer http://localhost may be used as well.',
  kind: 'Kind',
  confidential: 'Runs on a server and can keep a secret',
  public: 'Runs in a browser or on a telephone and can keep no secret',
  register: 'Register an application',
  name: 'Name',
  secretOnce: 'Copy the secret now: it is shown this once only. Keep it like a password.',
  secretTitle: (name: string) => `The secret of ${name}`,
  registeredTitle: (name: string) => `${name} is registered`,
  newSecret: 'New secret',
  newSecretHint: 'The old secret ends at once.',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeHint: 'Nobody can use this application any more. This cannot be taken back.',
  redirectProblems: {
    form: 'is not a complete address.',
    fragment: 'has a # in it, which is not allowed.',
    insecure: 'does not begin with https://.',
    credentials: 'has a user name or a password in it.',
  },
  tooMany: 'These are too many: at most 20.',
  tooLong: 'This is too long.',
  letIn: 'Authorized applications',
  letInHint: 'These can act in your name until you stop them.',
  since: 'since',
  stop: 'Stop',
  stopped: 'The application cannot act in your name any more.',

  consentTitle: (name: string) => `Connect ${name}?`,
  consentLasts: 'This lasts until you stop it under “Authorized applications”.',
  consentHint: (name: string, email: string) => `${name} wants to act in your name, ${email}. It could then:`,
  scopes: {
    read: 'Read everything that you may see at the organizers chosen below',
    write: 'Change everything that you may change at the organizers chosen below',
    profile: 'See your name, e-mail address, language and time zone',
  },
  chooseOrganizers: 'At which organizers?',
  chooseOne: 'Choose at least one organizer.',
  noOrganizer: 'You do not belong to any organizer, so there is nothing that this application could do.',
  returnTo: 'Afterwards you are sent to',
  allow: 'Allow',
  deny: 'Deny',
  madeBy: 'Registered by',

  inviteTitle: 'Invitation',
  inviteHint: (team: string, organizer: string) => `You are invited to the team ${team} of ${organizer}.`,
  inviteAs: (email: string) => `You are logged in as ${email}.`,
  inviteOther: 'Log out and use another account',
  join: 'Join',
  createAccount: 'Create an account',
  haveAccount: 'I have an account',
  inviteDead: 'This invitation is not valid any more. Ask whoever invited you for a new one.',
  joined: 'You belong to the team now.',

  errorTitle: 'That did not work',
  staleForm:
    'This page was open for too long, or it was sent from somewhere else. Go back, load it again and try once more.',
  unknownApplication: 'The program that sent you here is not known on this server. Nothing was allowed.',
  badRedirect:
    'The program that sent you here wants you to be sent on to an address that it has not registered. Nothing was allowed.',
  repeated:
    'The program that sent you here says the same thing twice, in different ways. Nothing was allowed.',
  notFound: 'There is no such page.',
  failed: 'Something went wrong here. Please try again.',
}

/** What the pages say, in one language. */
export type Words = typeof english
