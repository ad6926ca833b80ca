-- A ledger row is never changed and never removed, by the database itself. A correction is a new
-- row. The third trigger of each table closes the way around the other two: INSERT OR REPLACE
-- deletes a row without firing a DELETE trigger, so a row whose key exists is quietly not inserted.
CREATE TRIGGER usage_entries_no_update BEFORE UPDATE ON usage_entries BEGIN
  SELECT RAISE(ABORT, 'usage_entries is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER usage_entries_no_delete BEFORE DELETE ON usage_entries BEGIN
  SELECT RAISE(ABORT, 'usage_entries is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER usage_entries_no_replace BEFORE INSERT ON usage_entries
WHEN EXISTS (SELECT 1 FROM usage_entries WHERE session_id = NEW.session_id AND turn_id = NEW.turn_id AND model = NEW.model AND source_seq = NEW.source_seq AND ordinal = NEW.ordinal) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER acts_no_update BEFORE UPDATE ON acts BEGIN
  SELECT RAISE(ABORT, 'acts is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER acts_no_delete BEFORE DELETE ON acts BEGIN
  SELECT RAISE(ABORT, 'acts is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER acts_no_replace BEFORE INSERT ON acts
WHEN EXISTS (SELECT 1 FROM acts WHERE session_id = NEW.session_id AND act_id = NEW.act_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER act_outcomes_no_update BEFORE UPDATE ON act_outcomes BEGIN
  SELECT RAISE(ABORT, 'act_outcomes is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER act_outcomes_no_delete BEFORE DELETE ON act_outcomes BEGIN
  SELECT RAISE(ABORT, 'act_outcomes is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER act_outcomes_no_replace BEFORE INSERT ON act_outcomes
WHEN EXISTS (SELECT 1 FROM act_outcomes WHERE session_id = NEW.session_id AND act_id = NEW.act_id AND position = NEW.position) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER approval_requests_no_update BEFORE UPDATE ON approval_requests BEGIN
  SELECT RAISE(ABORT, 'approval_requests is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER approval_requests_no_delete BEFORE DELETE ON approval_requests BEGIN
  SELECT RAISE(ABORT, 'approval_requests is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER approval_requests_no_replace BEFORE INSERT ON approval_requests
WHEN EXISTS (SELECT 1 FROM approval_requests WHERE session_id = NEW.session_id AND request_id = NEW.request_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER approval_decisions_no_update BEFORE UPDATE ON approval_decisions BEGIN
  SELECT RAISE(ABORT, 'approval_decisions is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER approval_decisions_no_delete BEFORE DELETE ON approval_decisions BEGIN
  SELECT RAISE(ABORT, 'approval_decisions is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER approval_decisions_no_replace BEFORE INSERT ON approval_decisions
WHEN EXISTS (SELECT 1 FROM approval_decisions WHERE session_id = NEW.session_id AND request_id = NEW.request_id AND position = NEW.position) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER access_log_no_update BEFORE UPDATE ON access_log BEGIN
  SELECT RAISE(ABORT, 'access_log is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER access_log_no_delete BEFORE DELETE ON access_log BEGIN
  SELECT RAISE(ABORT, 'access_log is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER access_log_no_replace BEFORE INSERT ON access_log
WHEN EXISTS (SELECT 1 FROM access_log WHERE request_id = NEW.request_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- The one account of an installation that has no accounts.
INSERT INTO accounts (account_id, actor_id, name, created_at) VALUES ('acc_local', 'usr_local', 'local', 0);
