/** What a column of a guest list can mean. */
export type GuestField =
  | 'given_name'
  | 'family_name'
  | 'full_name'
  | 'email'
  | 'product'
  | 'variation'
  | 'code'
  | 'quantity'
  | 'order'
  | 'company'
  | 'phone'
  | 'comment'

/** `name` is a first, last or whole name, depending on the other columns ("Name; Vorname", "Nome; Cognome"). */
export type TitleMeaning = GuestField | 'name'

/** Column titles per meaning, in many languages; `;` separates. Case, accents, punctuation, spaces don't matter. */
export const titles: Readonly<Record<TitleMeaning, string>> = {
  name: 'Name; Nom; Nombre; Nombres; Nome; Naam; Namn; Navn; Nimi; Jméno',
  given_name: `First name; Given name; Given names; Forename; First; Christian name; fname;
    Vorname; Vornamen; Rufname; Prénom; Prénoms; Nombre de pila; Primer nombre; Nome di battesimo;
    Voornaam; Roepnaam; Primeiro nome; Nome próprio; Imię; Imiona; Fornavn; Förnamn; Etunimi; Křestní jméno`,
  family_name: `Last name; Surname; Family name; Last; lname; Nachname; Familienname; Zuname; Nom de famille;
    Apellido; Apellidos; Primer apellido; Cognome; Achternaam; Familienaam; Sobrenome; Apelido; Apelidos;
    Último nome; Nazwisko; Efternavn; Etternavn; Efternamn; Sukunimi; Příjmení`,
  full_name: `Full name; Complete name; First and last name; First name last name; Name surname; Attendee; Guest;
    Participant; Visitor; Person; Ticket holder; Customer; Display name; Vollständiger Name; Vor- und Nachname;
    Vorname Nachname; Vorname und Nachname; Nachname Vorname; Name Vorname; Vorname Name; Name und Vorname;
    Gast; Teilnehmer; Teilnehmerin; Teilnehmer:in; Teilnehmende; Besucher; Besucher:in; Karteninhaber;
    Ticketinhaber; Kunde; Nom complet; Nom et prénom; Prénom et nom; Nom prénom; Prénom nom; Invité; Visiteur;
    Nombre completo; Nombre y apellido; Nombre y apellidos; Apellidos y nombre; Nombre apellidos; Invitado;
    Asistente; Participante; Nome completo; Nome e cognome; Cognome e nome; Nome cognome; Cognome nome;
    Nominativo; Ospite; Invitato; Partecipante; Volledige naam; Voor- en achternaam; Deelnemer; Bezoeker;
    Nome e sobrenome; Nome e apelido; Convidado; Imię i nazwisko; Nazwisko i imię; Uczestnik; Gość`,
  email: `E-mail; E-mails; Mail; E-mail address; Mail address; Electronic mail; E-Mail-Adresse; Mailadresse;
    Courriel; Adresse e-mail; Adresse mail; Adresse électronique; Adresse de courriel; Mél; Correo;
    Correo electrónico; Dirección de correo; Dirección de correo electrónico; Dirección de e-mail;
    Indirizzo e-mail; Indirizzo mail; Indirizzo di posta elettronica; Posta elettronica; E-mailadres; Mailadres;
    Endereço de e-mail; Endereço eletrônico; Correio eletrônico; Correio eletrónico; Adres e-mail; Adres mailowy;
    Poczta elektroniczna; E-post; E-postadress; Sähköposti`,
  product: `Product; Product name; Ticket; Ticket type; Ticket name; Type of ticket; Ticket category; Pass;
    Pass type; Admission; Produkt; Produktname; Ticketart; Tickettyp; Art des Tickets; Ticketkategorie; Karte;
    Kartenart; Kartentyp; Artikel; Eintrittskarte; Produit; Billet; Type de billet; Catégorie de billet;
    Producto; Entrada; Tipo de entrada; Tipo de boleto; Boleto; Prodotto; Biglietto; Tipo di biglietto;
    Tipo biglietto; Kaartje; Kaarttype; Soort kaart; Soort ticket; Tickettype; Ticketsoort; Produto; Bilhete;
    Ingresso; Tipo de bilhete; Tipo de ingresso; Bilet; Rodzaj biletu; Typ biletu; Nazwa biletu`,
  variation: `Variation; Variations; Variant; Option; Price category; Price level; Rate; Variante; Ausführung;
    Ermäßigung; Preiskategorie; Preisstufe; Tarif; Déclinaison; Variación; Opción; Tarifa; Variazione; Opzione;
    Tariffa; Variatie; Optie; Tarief; Variação; Opção; Wariant; Odmiana; Opcja; Taryfa`,
  code: `Ticket code; Bar code; QR code; QR; Ticket secret; Secret; Ticket number; Ticket no; Ticket nr;
    Ticket ID; Barcode number; Scan code; Ticketnummer; Strichcode; Strichcodenummer; Kartennummer; Kartencode;
    Einlasscode; Code-barres; Code barre; Code QR; Code du billet; Code billet; Numéro de billet; N° de billet;
    N° billet; Código de barras; Código QR; Código de entrada; Código de la entrada; Número de entrada;
    Codice a barre; Codice QR; Codice biglietto; Codice del biglietto; Numero biglietto; Numero del biglietto;
    Streepjescode; Kaartnummer; Kaartcode; QR-kod; Código do bilhete; Código do ingresso; Número do bilhete;
    Número do ingresso; Kod kreskowy; Kod biletu; Kod QR; Numer biletu; Nr biletu`,
  quantity: `Quantity; Qty; Count; Tickets; Number of tickets; No. of tickets; # tickets; Ticket count; Persons;
    People; Pax; Seats; Number of persons; Number of people; Number of guests; Admits; Anzahl; Menge;
    Anzahl Tickets; Anzahl der Tickets; Anzahl Karten; Anzahl Personen; Personen; Personenzahl; Karten; Plätze;
    Stück; Stk; Quantité; Qté; Nombre de billets; Nombre de places; Nombre de personnes; Nb de billets; Nb;
    Nb places; Billets; Places; Personnes; Cantidad; Cant; Número de entradas; Entradas; Número de personas;
    Personas; Plazas; Quantità; Qtà; Numero di biglietti; Biglietti; Numero persone; Persone; Posti; Aantal;
    Aantal kaarten; Aantal tickets; Aantal personen; Kaarten; Quantidade; Qtd; Qtde; Número de bilhetes;
    Bilhetes; Ingressos; Pessoas; Lugares; Ilość; Liczba; Liczba biletów; Liczba osób; Sztuk; Szt; Osoby`,
  order: `Order; Order code; Order number; Order no; Order nr; Order ID; Order reference; Booking; Booking code;
    Booking number; Booking reference; Booking ID; Reference; Reference number; Ref; Reservation;
    Reservation number; Confirmation number; Bestellung; Bestellcode; Bestellnummer; Bestell-Nr; Auftrag;
    Auftragsnummer; Buchung; Buchungsnummer; Buchungscode; Referenz; Referenznummer; Reservierung; Commande;
    Numéro de commande; N° de commande; N° commande; Code de commande; Référence; Réservation; Pedido;
    Número de pedido; Código de pedido; Referencia; Reserva; Ordine; Numero ordine; Codice ordine; Riferimento;
    Prenotazione; Bestelling; Bestelnummer; Bestelcode; Ordernummer; Referentie; Reservering; Boeking;
    Encomenda; Número do pedido; Código do pedido; Referência; Zamówienie; Numer zamówienia; Nr zamówienia;
    Kod zamówienia; Rezerwacja`,
  company: `Company; Company name; Organisation; Organization; Firm; Business; Employer; Institution; Firma;
    Firmenname; Unternehmen; Arbeitgeber; Société; Entreprise; Empresa; Compañía; Organización; Azienda;
    Società; Ditta; Organizzazione; Bedrijf; Bedrijfsnaam; Organisatie; Organização; Companhia;
    Przedsiębiorstwo; Nazwa firmy; Organizacja`,
  phone: `Phone; Telephone; Mobile; Cell; Cell phone; Mobile phone; Phone number; Mobile number; Tel; Tel. no;
    Telefon; Telefonnummer; Telefon-Nr; Handy; Handynummer; Mobil; Mobilnummer; Mobiltelefon; Téléphone;
    Numéro de téléphone; Portable; Teléfono; Número de teléfono; Móvil; Telefono; Numero di telefono; Cellulare;
    Telefoon; Telefoonnummer; Mobiel; Telefone; Número de telefone; Telemóvel; Celular; Numer telefonu;
    Telefon komórkowy; Komórka`,
  comment: `Comment; Comments; Note; Notes; Remark; Remarks; Bemerkung; Bemerkungen; Kommentar; Kommentare;
    Anmerkung; Anmerkungen; Notiz; Notizen; Hinweis; Commentaire; Commentaires; Remarque; Remarques; Comentario;
    Comentarios; Nota; Notas; Observaciones; Commento; Commenti; Osservazioni; Opmerking; Opmerkingen;
    Comentário; Comentários; Observação; Observações; Komentarz; Uwagi; Notatka; Notatki`,
}

/** Titles that mean something only when no clearer column is there. */
export const vagueTitles: Readonly<Partial<Record<TitleMeaning, string>>> = {
  product:
    'Type; Item; Category; Typ; Art; Kategorie; Catégorie; Tipo; Categoría; Soort; Categorie; Rodzaj; Kategoria',
  code: 'Code; Código; Codice; Kod; Token',
  quantity: 'Guests; Gäste; Invités; Invitados; Ospiti; Gasten; Convidados; Goście; Number; No. of',
  comment: 'Info; Information; Informationen; Informations; Informazioni; Información',
}

/** Words around a title that say: this is about who comes ("Attendee e-mail", "Name des Gastes"). */
export const guestWords = `attendee; attendees; guest; guests; participant; participants; visitor; ticket holder;
  teilnehmer; teilnehmers; teilnehmerin; gast; gastes; gaeste; besucher; besuchers; karteninhaber; participante;
  invité; visiteur; asistente; invitado; partecipante; ospite; invitato; deelnemer; bezoeker; convidado;
  uczestnik; uczestnika; gość; gościa`

/** Words around a title that say: this is about who pays; used only when nothing is known about who comes. */
export const buyerWords = `invoice; invoice address; billing; billing address; buyer; customer; purchaser; payer;
  order; contact; rechnung; rechnungs; rechnungsadresse; rechnungsempfänger; käufer; käufers; kunde; kunden;
  besteller; bestellers; kontakt; facturation; acheteur; client; comprador; facturación; cliente; acquirente;
  fatturazione; koper; factuur; klant; nabywca; nabywcy; klienta; faktura`

/** Small words between a title and those ("Name of the guest", "Nome do participante"). */
export const linkingWords =
  'of the; of; des; der; vom; de la; de l; du; de; del; dell; della; di; do; da; van de; van'

/** First cells of lines that add up the list instead of naming a guest. */
export const totalWords = `total; totals; grand total; sum; subtotal; summe; gesamt; gesamtsumme; gesamtanzahl;
  insgesamt; zwischensumme; somme; total général; totale; somma; totaal; som; suma; razem; łącznie; ogółem`
