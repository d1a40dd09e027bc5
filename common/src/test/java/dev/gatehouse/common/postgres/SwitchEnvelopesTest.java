package dev.gatehouse.common.postgres;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.postgres.SharedSwitches.Row;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The copy of the switches on the own disk, as it was recorded. */
class SwitchEnvelopesTest {

  @Test
  void switchesAreTheirNumberThenEachWithItsKindAndVersion() throws IOException {
    List<Row> rows = List.of(new Row("drain", "app:8080", "2026-01-01T12:00:00Z", 7), new Row("maintenance", "demo", "", 9));
    new RecordedEnvelope("snapshot-switches").isKept(SharedSwitches.bytes(rows), SharedSwitches::rows, rows);
  }
}
