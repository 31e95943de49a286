-- What a station's printers are to print: only of this machine, neither in the change feed nor reported.
CREATE TABLE print_job (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  -- Made by the screen, which asks for the same print again by it.
  id TEXT NOT NULL,
  document TEXT NOT NULL,
  -- The receipt or closing that is printed.
  subject BIGINT,
  -- The note that a receipt was given out, and as which copy.
  note BIGINT,
  copy BIGINT NOT NULL,
  title TEXT NOT NULL,
  locale TEXT NOT NULL,
  -- Whether the drawer is to open with it, and whether it was told to.
  pulse TEXT NOT NULL,
  created TEXT NOT NULL,
  state TEXT NOT NULL,
  -- Why it is not printed, or not known to be, as a word.
  reason TEXT,
  -- The address of the printer that was asked last.
  printer TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE INDEX print_job_in_state ON print_job (organizer, state, created);
