package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo: what people asked for is asked again of a proposal, which says who would lose what. */
@Timeout(120)
class PlannedEffectTest {

  private static final Pattern WAY_OUT = Pattern.compile("http-equiv=\"refresh\" content=\"0; ?url=([^\"]*)\"");

  @TempDir private Path folder;
  private final DemoDirectory directory = DemoDirectory.start(0);
  private final SampleApp app = SampleApp.start(0);
  private final List<Integer> free = FreePorts.take(3);
  private final String home = "http://app.localhost:" + free.get(1);
  private final StringWriter out = new StringWriter();
  private Path config;
  private Path proposal;
  private RunningNode node;

  @BeforeEach
  void start() throws IOException {
    config = folder.resolve("config");
    List<Integer> unused = FreePorts.take(3);
    DemoPorts ports =
        new DemoPorts(free.get(0), unused.get(0), free.get(1), unused.get(1), free.get(2), app.port(), directory.port(), unused.get(2));
    new DemoConfiguration(config, Configuration.Source.DATABASE).write(ports);
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file).replaceAll("(?m)^    - .*certificate: .*\n", ""));
    Path realm = config.resolve("realms/demo.yaml");
    Files.writeString(realm, Files.readString(realm).replaceAll("(?m)^  otherOrigins: .*\n", ""));
    proposal = folder.resolve("proposal");
    Files.createDirectories(proposal.resolve("realms"));
    Files.copy(realm, proposal.resolve("realms/demo.yaml"));
    node = RunningNode.start(config, Map.of());
  }

  @AfterEach
  void stop() {
    node.close();
    app.close();
    directory.close();
  }

  private String plan() {
    out.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(out, true);
    int code = Launcher.commandLine().setOut(writer).setErr(writer).execute("plan", "--config", config.toString(), proposal.toString());
    assertThat(code).as(out::toString).isZero();
    return out.toString();
  }

  private void propose(String old, String replacement) throws IOException {
    Path realm = proposal.resolve("realms/demo.yaml");
    String text = Files.readString(realm);
    assertThat(text).contains(old);
    Files.writeString(realm, text.replace(old, replacement));
  }

  private void login(PlainBrowser browser, String user) throws Exception {
    Shown[] form = {browser.open(home + "/")};
    Eventually.holds(
        () -> {
          form[0] = browser.open(home + "/");
          return form[0].status() == 200 && form[0].body().contains("password");
        });
    Shown shown = browser.submit(form[0], browser.form(form[0]).with("username", user).with("password", "demo"));
    Matcher way = WAY_OUT.matcher(shown.body());
    Shown there = way.find() ? browser.open(way.group(1).replace("&amp;", "&")) : shown;
    Shown last = there.body().contains("SAMLResponse") ? browser.submit(there, browser.form(there)) : there;
    assertThat(last.body()).contains("Hello, " + user);
  }

  @Test
  void whoWouldLoseOrGainWhatIsToldByNameAndUrl() throws Exception {
    propose("roles: [manager]", "roles: [director]");
    assertThat(plan()).contains("No requests of people were recorded in the last day");
    try (PlainBrowser bob = new PlainBrowser();
        PlainBrowser alice = new PlainBrowser()) {
      login(bob, "bob");
      login(alice, "alice");
      assertThat(bob.open(home + "/manager/reports?secret=1").status()).isNotEqualTo(403);
      assertThat(alice.open(home + "/manager/").status()).isEqualTo(403);
    }
    String lost = "demo: bob would lose GET " + home + "/manager/reports: ROLE_MISSING, route manager: role director";
    Eventually.holds(() -> plan().contains(lost));
    assertThat(plan()).contains("recorded decisions of the last day, 100 % of all that were made.").doesNotContain("would gain", "secret=1", "alice would");
    propose("roles: [director]", "roles: [employee]");
    assertThat(plan()).contains("demo: alice would gain GET " + home + "/manager/: route manager: role employee").doesNotContain("would lose");
    propose("displayName: Gatehouse demo", "displayName: Another name");
    propose("roles: [employee]", "roles: [manager]");
    assertThat(plan()).contains("Nobody would gain or lose a URL: ");
    try (Stream<Path> files = Files.list(folder.resolve("data/decisions"))) {
      assertThat(files).hasSize(1).allSatisfy(file -> assertThat(file).content().doesNotContain("bob", "alice", "manager"));
    }
  }
}
