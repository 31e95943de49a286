-- What was printed for a ticket here, or is about to be.
CREATE INDEX print_job_of_subject ON print_job (organizer, document, subject);
