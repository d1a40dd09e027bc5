package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/reasons.md} explains every reason of a refusal and every event of the audit log. */
class ReasonsPageTest {

  private static final String PAGE = "reasons.md";

  /** Of several words: nothing but a reason looks like that in these modules, except for what {@link #OTHERS} matches. */
  private static final Pattern WORDS = Pattern.compile("\"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\"");

  private static final Pattern OTHERS = Pattern.compile("GATEHOUSE_\\w+|JAVA_RUNTIME_VERSION|LOGGING_\\w+|TLS_\\w+|TPM2TOOLS_TCTI");

  /** Of one word, where a refusal is made. */
  private static final Pattern ONE_WORD = Pattern.compile("(?:\\.page\\([^;]*?|new Refusal\\([^;]*?|\\.refused\\()\"([A-Z]{3,})\"");

  @Test
  void everyEnumIsListed() {
    ReferenceTable.assertEnumsAreListed(PAGE);
  }

  @Test
  void everyReasonThatStandsInTheCodeIsListed() {
    Set<String> listed = ReferenceTable.in(PAGE).stream().flatMap(table -> table.codes(0).stream()).collect(Collectors.toSet());
    assertThat(inTheCode("idp", "sp", "gateway")).as("reasons in the code").hasSizeGreaterThan(80).isSubsetOf(listed);
  }

  @Test
  void everyReasonThatIsListedAsALiteralStandsInTheCode() {
    for (ReferenceTable table : ReferenceTable.in(PAGE, "literals")) {
      String code = String.join("\n", MainSources.of(table.of().split(" ")).files().values());
      assertThat(table.codes(0)).as(table.place()).doesNotHaveDuplicates().allSatisfy(reason -> assertThat(code).contains('"' + reason + '"'));
    }
  }

  @Test
  void noReasonStandsInTwoTablesOfOneKind() {
    List<String> literals = ReferenceTable.in(PAGE, "literals").stream().flatMap(table -> table.codes(0).stream()).toList();
    assertThat(literals).doesNotHaveDuplicates();
  }

  @Test
  void everyEventIsListedWithItsFields() {
    ReferenceTable table = ReferenceTable.in(PAGE, "events").getFirst();
    Map<String, List<String>> listed =
        table.rows().stream()
            .collect(
                Collectors.toMap(
                    row -> ReferenceTable.codes(row.getFirst()).findFirst().orElseThrow(),
                    row -> ReferenceTable.codes(row.get(2)).toList()));
    Map<String, List<String>> declared =
        Arrays.stream(ReferenceTable.type(table.of()).getPermittedSubclasses())
            .collect(Collectors.toMap(Class::getSimpleName, ReasonsPageTest::fields));
    assertThat(declared).hasSizeGreaterThan(15);
    assertThat(listed).containsExactlyInAnyOrderEntriesOf(declared);
  }

  private static List<String> fields(Class<?> event) {
    return Arrays.stream(event.getRecordComponents())
        .map(RecordComponent::getName)
        .filter(name -> !name.equals("context"))
        .toList();
  }

  private static Set<String> inTheCode(String... modules) {
    Set<String> reasons = new TreeSet<>();
    for (String text : MainSources.of(modules).files().values()) {
      Stream.of(WORDS, ONE_WORD)
          .flatMap(pattern -> pattern.matcher(text).results())
          .map(found -> found.group(1))
          .filter(word -> !OTHERS.matcher(word).matches())
          .forEach(reasons::add);
    }
    return reasons;
  }
}
