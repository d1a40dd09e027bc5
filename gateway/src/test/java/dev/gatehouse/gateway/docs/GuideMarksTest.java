package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.docs.Page.Kind;
import dev.gatehouse.gateway.docs.Page.Mark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each mark in the pages is one that a test takes up. */
class GuideMarksTest {

  /** Read by the tests of {@code ForwardAuthIT}. */
  private static final Set<String> PROXIES = Set.of("nginx", "haproxy", "caddy");

  private final List<Mark> marks = Page.all().stream().flatMap(page -> page.marks().stream()).toList();

  @Test
  void aTestedBlockIsOfAKindThatIsTestedAndHasANameOfItsOwn() {
    Map<String, String> names = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (Mark mark : marks.stream().filter(mark -> mark.kind() == Kind.TESTED).toList()) {
      if (!Set.of("sh", "yaml").contains(mark.language()) && !PROXIES.contains(mark.language())) {
        problems.add(mark.place() + ": no test is for blocks of " + mark.language());
      }
      String before = names.put(mark.value(), mark.place());
      if (before != null) {
        problems.add(mark.place() + ": " + mark.value() + " is also the name of " + before);
      }
    }
    assertThat(problems).isEmpty();
    assertThat(names).as("blocks that are tested").hasSizeGreaterThan(50);
  }

  @Test
  void anOutputIsOfACommandBefore() {
    Set<String> commands = new HashSet<>();
    for (Mark mark : marks) {
      switch (mark.kind()) {
        case TESTED -> commands.add(mark.language().equals("sh") ? mark.value() : "");
        case OUTPUT -> assertThat(commands).as(mark.place()).contains(mark.value());
        case PERSON -> assertThat(mark.value()).as(mark.place()).matches(GuideCommandsIT.PERSON);
      }
    }
  }
}
