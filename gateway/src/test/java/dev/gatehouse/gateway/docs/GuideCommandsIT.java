package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.docs.GuideShell.Outcome;
import dev.gatehouse.gateway.docs.Page.Kind;
import dev.gatehouse.gateway.docs.Page.Mark;
import dev.gatehouse.gateway.launch.DemoProcess;
import dev.gatehouse.gateway.process.PythonTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands that the guides mark as tested, each page in one shell beside one demo, in the order of the page, with what
 * the page says that they print. The demo's ports are others here: they are replaced in commands and output.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class GuideCommandsIT {

  /** What a person does: the login name, the address, and what the page then shows. */
  static final String PERSON = "(\\w+) opens (\\S+) and sees (.+)";

  /** Of the contract of the demo, in the order in which {@code --port-base} takes them. */
  private static final List<Integer> DEMO = List.of(8080, 8444, 8000, 8443, 8081, 8090, 10389, 8082, 1812);

  /** Of the nodes that tutorials configure. */
  private static final List<Integer> TUTORIALS = List.of(8180, 8100, 8181, 8200, 8281);

  private final Map<Integer, Integer> ports = new HashMap<>();
  private Path folder = Path.of("");
  private DemoProcess demo;

  static Stream<Page> guides() {
    return Page.all().stream().filter(page -> page.marks().stream().anyMatch(GuideCommandsIT::isCommand));
  }

  private static boolean isCommand(Mark mark) {
    return mark.kind() == Kind.TESTED && mark.language().equals("sh");
  }

  @BeforeAll
  void start(@TempDir Path temporary) {
    folder = temporary;
    demo = DemoProcess.start(folder);
    DEMO.forEach(port -> ports.put(port, demo.idp() + DEMO.indexOf(port)));
    List<Integer> free = FreePorts.take(TUTORIALS.size());
    TUTORIALS.forEach(port -> ports.put(port, free.get(TUTORIALS.indexOf(port))));
  }

  @AfterAll
  void stop() {
    demo.close();
  }

  @ParameterizedTest
  @MethodSource("guides")
  void commandsDoWhatTheGuideSays(Page guide) throws IOException, InterruptedException {
    if (guide.marks().stream().anyMatch(mark -> isCommand(mark) && mark.text().contains("openapi-python-client"))) {
      PythonTools.require("openapi-python-client");
    }
    Path home = Files.createDirectories(folder.resolve(guide.name().replace('/', '-')));
    Files.createDirectory(home.resolve("var"));
    Files.createSymbolicLink(home.resolve("var/demo"), folder.resolve("demo"));
    List<Mark> steps = guide.marks().stream().filter(mark -> isCommand(mark) || mark.kind() == Kind.PERSON).toList();

    Outcome outcome = new GuideShell(home, ports).run(steps);

    assertThat(outcome.exit()).as(outcome::log).isZero();
    for (Mark output : guide.marks().stream().filter(mark -> mark.kind() == Kind.OUTPUT).toList()) {
      assertThat(outcome.printed().get(output.value()))
          .as(() -> output.place() + "\n" + outcome.log())
          .matches(asPattern(output.text()));
    }
  }

  /** Three dots stand for anything. */
  private static Pattern asPattern(String shown) {
    String expression = Stream.of(shown.strip().split("\\.\\.\\.", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(expression, Pattern.DOTALL);
  }
}
