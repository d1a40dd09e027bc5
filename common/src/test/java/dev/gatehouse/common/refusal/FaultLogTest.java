package dev.gatehouse.common.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.gatehouse.common.LogLines;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.store.StoreUnavailable;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

class FaultLogTest {

  @AutoClose private final LogLines lines = LogLines.of(FaultLogTest.class);
  private final AtomicLong nanos = new AtomicLong(1);
  private final FaultLog log = new FaultLog(LoggerFactory.getLogger(FaultLogTest.class), nanos::get);

  @Test
  void anOutageHasOneWarningAMinuteAndALineForEachRequestWithoutAStackTrace() {
    for (int i = 0; i < 500; i++) {
      log.failed("[r" + i + "] GET", new StoreUnavailable("Valkey did not answer within 2000 ms", new IOException("Connection reset")));
    }
    assertThat(lines.all()).hasSize(500).allMatch(line -> line.getThrowableProxy() == null);
    assertThat(lines.at(Level.WARN))
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("[r0] GET was refused: Valkey did not answer within 2000 ms: Connection reset (1 such requests since the start)");
    assertThat(lines.at(Level.INFO)).hasSize(499);
    assertThat(lines.all()).extracting(ILoggingEvent::getFormattedMessage).anyMatch(line -> line.startsWith("[r499] GET was refused"));
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    log.failed("[late] GET", new StoreUnavailable("Valkey did not answer within 2000 ms"));
    assertThat(lines.at(Level.WARN)).hasSize(2).last().asString().contains("501 such requests");
  }

  @Test
  void eachKindOfOutageHasItsOwnWarning() {
    List<RuntimeException> all =
        List.of(
            new StoreUnavailable("away"), StoreUnavailable.lowOnSpace(), new DirectoryUnavailable("no server answers"),
            new AuditUnavailable("The disk is full", new IOException("No space left on device")),
            new CannotGetJdbcConnectionException("No connection", new SQLException("Connection refused")));
    all.forEach(fault -> log.failed("GET", fault));
    assertThat(lines.at(Level.WARN)).hasSize(all.size());
    log.failed("GET", new DataAccessResourceFailureException("No transaction can begin"));
    log.failed("GET", new QueryTimeoutException("The statement took too long"));
    assertThat(lines.at(Level.WARN)).hasSize(all.size());
    assertThat(lines.at(Level.INFO)).hasSize(2);
  }

  /** A statement that the database refuses is a fault of ours, although people are told of it as of an outage. */
  @Test
  void aFaultOfOursHasItsStackTrace() {
    List<RuntimeException> all =
        List.of(
            new IllegalStateException("a defect"), new DataIntegrityViolationException("twice"),
            new BadSqlGrammarException("task", "selec 1", new SQLException("syntax error")));
    all.forEach(fault -> log.failed("GET", fault));
    assertThat(lines.at(Level.ERROR)).hasSize(all.size()).allMatch(line -> line.getThrowableProxy() != null);
    assertThat(Outage.of(all.getFirst())).isEmpty();
    assertThat(Outage.of(all.getLast())).contains(Outage.DATABASE);
  }

  @Test
  void whatAServerSaysIsOneLineOfBoundedLength() {
    log.failed("GET", new StoreUnavailable("one\ntwo\u2028three", new IOException("x".repeat(10_000))));
    assertThat(lines.at(Level.WARN)).singleElement().extracting(ILoggingEvent::getFormattedMessage).asString()
        .contains("one two three: xx").hasSizeLessThan(700);
  }
}
