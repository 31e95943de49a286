/** Text in several languages: language code to string. */
export type Multilingual = Readonly<Record<string, string>>
