package dev.gatehouse.gateway.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.revision.PlannedEffect.Change;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code plan} prints about people. */
class PlannedEffectPrintTest {

  private static final Change BOB = new Change("demo", "bob", "GET", "http://app/x", "ROLE_MISSING, route app: role a");

  private static List<String> printed(PlannedEffect effect) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    effect.print(writer);
    writer.flush();
    return out.toString().lines().toList();
  }

  @Test
  void lossesComeFirstAndTheOthersAreCounted() {
    assertThat(printed(new PlannedEffect(900, 600, 0.667, List.of(BOB), List.of(BOB), 0, 7, List.of("office"))))
        .containsExactly(
            "demo: bob would lose GET http://app/x: ROLE_MISSING, route app: role a",
            "… and 7 more losses",
            "demo: bob would gain GET http://app/x: ROLE_MISSING, route app: role a",
            "By 600 of 900 recorded decisions of the last day, 66 % of all that were made.",
            "Not recorded, and taken as absent: office.");
  }

  @Test
  void aSmallShareIsNotNothingAndAlmostAllIsNotAll() {
    assertThat(printed(new PlannedEffect(9, 9, 0.001, List.of(), List.of(), 0, 0, List.of())))
        .containsExactly("Nobody would gain or lose a URL: 9 of 9 recorded decisions of the last day, less than 1 % of all that were made.");
    assertThat(printed(new PlannedEffect(9, 9, 0.9999, List.of(), List.of(), 0, 0, List.of())).getFirst()).contains(", 99 % of all");
  }

  @Test
  void whatOthersChoseDoesNotCommandTheTerminal() {
    String name = "\u001b[2Jbob\u009b\u202e\nroot";
    PlannedEffect effect =
        new PlannedEffect(1, 1, 1, List.of(), List.of(new Change("demo", name, "GET", "http://app/\u001b]0;x\u0007", "R")), 0, 0, List.of(name));
    PlannedChange change =
        new PlannedChange(
            7,
            List.of(new PlannedChange.Problem("realms/\u001b.yaml", 1, "key", name, "remedy")),
            List.of(new PlannedChange.Change("demo", "partner", name, "added", List.of(new PlannedChange.Field("displayName", Optional.empty(), Optional.of(name))))),
            List.of(new PlannedChange.FileChange("realms/demo/\u001b.html", "added", false, Optional.of("+<p>\u001b[31m\ttext\n"))),
            Optional.of(effect));
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    change.print(writer);
    writer.flush();
    assertThat(out.toString()).contains("\\u001b[2Jbob\\u009b\\u202e\\u000aroot", "+<p>\\u001b[31m\ttext\n");
    assertThat(out.toString().codePoints().filter(c -> Character.getType(c) == Character.CONTROL)).containsOnly((int) '\n', (int) '\t');
  }

  @Test
  void withoutRecordsTheEffectIsUnknown() {
    assertThat(printed(new PlannedEffect(0, 0, 1, List.of(), List.of(), 0, 0, List.of())))
        .containsExactly("No requests of people were recorded in the last day: the effect on them is unknown.");
  }
}
