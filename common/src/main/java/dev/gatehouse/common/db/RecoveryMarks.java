package dev.gatehouse.common.db;

import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Records a loss or a restore in the database, so that earlier codes and secrets are not accepted again. Used while no node runs. */
public final class RecoveryMarks {

  /** The time step X of RFC 6238, section 4.1. */
  private static final long STEP_SECONDS = 30;

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
  }

  /** Refuses codes of time steps until now: they may have been used (RFC 6238, section 5.2). */
  public void refuseCodesUntil(Instant now) {
    long step = Math.floorDiv(now.getEpochSecond(), STEP_SECONDS);
    jdbc.sql("update second_factor_state set last_step = ? where last_step < ?").params(step, step).update();
  }

  /** Deletes all recovery codes: they may have been used since the backup. */
  public void dropRecoveryCodes() {
    jdbc.sql("delete from recovery_code").update();
  }
}
