package dev.gatehouse.common.db;

import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Records a loss or a restore in the database, so that earlier codes and secrets are not accepted again. Used while no node runs. */
public final class RecoveryMarks {

  /** The time step X of RFC 6238, section 4.1. */
  private static final long STEP_SECONDS = 30;

  /**
   * The farthest step ahead of now whose code may have counted: the widest drift, which may have been learnt after the backup, and the
   * widest window, that of a resynchronisation.
   */
  private static final int TOKEN_STEPS_AHEAD = 20 + 20;

  /** The window of apps, whose clocks are taken to be right. */
  private static final int APP_STEPS_AHEAD = 1;

  private final JdbcClient jdbc;

  public RecoveryMarks(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  /** Records that it is unknown who had a second factor: see {@link SecondFactors#needsConfirmation}. */
  public void secondFactorsLost(Instant at) {
    jdbc.sql("delete from second_factor_loss").update();
    jdbc.sql("delete from second_factor_confirmation").update();
    jdbc.sql("insert into second_factor_loss (lost_at) values (?)").params(at.atOffset(ZoneOffset.UTC)).update();
  }

  /** Deletes everything that was sealed under a lost key. */
  public void dropSealed() {
    jdbc.sql("delete from second_factor").update();
    jdbc.sql("delete from second_factor_state").update();
    jdbc.sql("delete from recovery_code").update();
    jdbc.sql("delete from person_secret").update();
    jdbc.sql("delete from otp_token").update();
    jdbc.sql("delete from otp_person").update();
    jdbc.sql("delete from otp_emergency").update();
  }

  /** Records that the database is that of a backup: what may have been used since then must not count again. */
  public void restored(Instant now) {
    refuseCodesUntil(now);
    dropRecoveryCodes();
    endLinks(now);
  }

  /** Refuses codes of time steps until now: they may have been used (RFC 6238, section 5.2). */
  private void refuseCodesUntil(Instant now) {
    long step = Math.floorDiv(now.getEpochSecond(), STEP_SECONDS);
    jdbc.sql("update second_factor_state set last_step = ? where last_step < ?").params(step, step).update();
    refuseTokenCodesUntil(now);
  }

  /** Tokens with a counter: how far it went since the backup is unknown, so they are disabled. */
  private void refuseTokenCodesUntil(Instant now) {
    refuseClockCodesUntil(now);
    jdbc.sql("update otp_token set state = 'DISABLED' where (kind = 'HOTP' or suite like '%:C-%') and state = 'ENABLED'").update();
  }

  /**
   * Refuses codes of tokens with a clock until now: where marks and what waited for rows are lost, rows do not tell what was used in the
   * last minutes. Also steps ahead of the clock were accepted before.
   */
  public void refuseClockCodesUntil(Instant now) {
    String ahead = "case when kind = 'APP' then " + APP_STEPS_AHEAD + " else " + TOKEN_STEPS_AHEAD + " end";
    String last = "cast(? as bigint) / nullif(period, 0) + " + ahead;
    jdbc.sql("update otp_token set last_used = " + last + " where period > 0 and last_used < " + last)
        .params(now.getEpochSecond(), now.getEpochSecond())
        .update();
  }

  /** Deletes all recovery codes and emergency means of lost tokens. */
  private void dropRecoveryCodes() {
    jdbc.sql("delete from recovery_code").update();
    jdbc.sql("delete from otp_emergency").update();
  }

  /** Ends links for new passwords and the set-up link, of which a deployment gets no other. */
  private void endLinks(Instant now) {
    jdbc.sql("delete from password_reset").update();
    jdbc.sql("update administrator_set_up set used_at = ? where used_at is null").params(now.atOffset(ZoneOffset.UTC)).update();
  }
}
