export const TAKEN_OVER =
  'A person has taken the session over; the Pilot goes on when it is handed back.';
