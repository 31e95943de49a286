/** The words of the demo in German, by the English ones. What has a text in German beside the English one is not here. */
export const germanDemoWords: Readonly<Record<string, string>> = {
  North: 'Nord',
  South: 'Süd',
  'Main entrance': 'Haupteingang',
  'VIP lounge': 'VIP-Lounge',
  Workshop: 'Workshop',
  VIP: 'VIP',
  Parking: 'Parkplatz',
  Day: 'Tag',
  Weekend: 'Wochenende',
  'T-shirts': 'T-Shirts',
  Mugs: 'Becher',
  Donations: 'Spenden',
  'Family: four day tickets': 'Familie: vier Tageskarten',
}
