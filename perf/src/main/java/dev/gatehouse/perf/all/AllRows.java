package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.Row;
import java.util.List;
import java.util.stream.Stream;

/** The plan of {@code bench all}: what decides first, the curves last. */
final class AllRows {

  private AllRows() {}

  static Plan plan() {
    List<Row> rows =
        Stream.of(
                OtherRows.all().subList(0, 1), SamlRows.all(), OAuthRows.all(), GatewayRows.all(), NodeRows.all(), OtpRows.all(),
                OtherRows.all().subList(1, OtherRows.all().size()), TailRows.all(), CurveRows.all())
            .flatMap(List::stream)
            .toList();
    return new Plan(rows, CurveRows.curves(), PeerSettings.all());
  }
}
