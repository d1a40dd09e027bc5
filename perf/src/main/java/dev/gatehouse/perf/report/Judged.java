package dev.gatehouse.perf.report;

import dev.gatehouse.perf.targets.Reading;
import dev.gatehouse.perf.targets.Target;
import java.util.List;
import java.util.Optional;

/**
 * A target beside what was measured.
 *
 * @param entry of the target's figure
 */
record Judged(Target target, Entry entry) {

  /** The columns of {@link #cells}, and {@link #decision}. */
  static final List<String> HEADER = List.of("work", "before", "at least", "aim", "now", "met", "row", "decision");

  private static final int DIGITS = 4;

  /** Nothing if the figure, or what it is compared with, was not measured. */
  Optional<Double> now() {
    return entry.figure().flatMap(this::read);
  }

  private Optional<Double> read(Figure figure) {
    return switch (target.reading()) {
      case Reading.Cost _ -> Optional.of(1000 / figure.median());
      case Reading.Amount _ -> Optional.of(figure.median());
      case Reading.Rate _ -> Optional.of(figure.median());
      case Reading.Share(String limit) -> inThatOf(figure, limit);
      case Reading.Times(String peer) -> inThatOf(figure, peer);
    };
  }

  private static Optional<Double> inThatOf(Figure figure, String name) {
    return figure.beside().stream().filter(each -> each.name().equals(name)).findFirst().map(each -> figure.median() / each.median());
  }

  /** The cells below {@link #HEADER} but the last one, which is a link. */
  List<String> cells() {
    return List.of(
        target.work(), target.before(), target.text(target.least()), target.text(target.aim()), value(),
        now().map(each -> target.met(each).word()).orElse(""), entry.marks());
  }

  private String value() {
    String missing = entry.measured() ? "not measured: no " + target.reading().beside() + " beside it" : entry.ours();
    return now().map(target::text).orElse(missing);
  }

  /** The number of the decision that says what bounds it; empty for none. */
  String decision() {
    return target.decision().isEmpty() ? "" : target.decision().substring(0, DIGITS).replaceFirst("^0+", "");
  }

  /** Where the decision is, as seen from the folder of results. */
  String link() {
    return "../../docs/decisions/" + target.decision() + ".md";
  }

  /** The class of its row in HTML. */
  String kind() {
    return now().isEmpty() ? "missing" : entry.disturbed() ? "busy" : "";
  }
}
