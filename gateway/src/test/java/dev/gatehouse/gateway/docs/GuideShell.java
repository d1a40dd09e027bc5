package dev.gatehouse.gateway.docs;

import dev.gatehouse.gateway.docs.Page.Kind;
import dev.gatehouse.gateway.docs.Page.Mark;
import dev.gatehouse.gateway.launch.PlainBrowser;
import dev.gatehouse.gateway.launch.PlainBrowser.Form;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.PythonTools;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs the commands of one page in one shell, as a reader would, and plays the reader's part in a browser. */
final class GuideShell {

  private static final Pattern PORT = Pattern.compile("((?:localhost|127\\.0\\.0\\.1):|port: )(\\d{4,5})\\b");
  private static final Pattern PERSON = Pattern.compile(GuideCommandsIT.PERSON);
  private static final Pattern CODE = Pattern.compile("/callback\\?[^\"]*?\\bcode=([^&\"]+)");

  private final Path home;
  private final Map<Integer, Integer> ports;
  private final Map<Integer, Integer> back = new HashMap<>();

  /**
   * What came of it.
   *
   * @param printed by the name of each block
   * @param log everything, for the message of a test that fails
   */
  record Outcome(int exit, Map<String, String> printed, String log) {}

  /** @param home the folder in which the commands are given @param ports those of the pages to those here */
  GuideShell(Path home, Map<Integer, Integer> ports) {
    this.home = home;
    this.ports = ports;
    ports.forEach((shown, here) -> back.put(here, shown));
  }

  Outcome run(List<Mark> steps) throws IOException, InterruptedException {
    launcher();
    Path script = Files.writeString(home.resolve("guide.sh"), script(steps));
    Path errors = home.resolve("errors.log");
    ProcessBuilder bash = new ProcessBuilder("/bin/bash", script.toString()).directory(home.toFile()).redirectError(errors.toFile());
    PythonTools.folder().ifPresent(tools -> bash.environment().merge("PATH", tools.toString(), (path, first) -> first + ":" + path));
    Process shell = bash.start();
    Map<String, String> printed = new LinkedHashMap<>();
    StringBuilder log = new StringBuilder();
    try (PlainBrowser browser = new PlainBrowser();
        BufferedReader out = shell.inputReader();
        BufferedWriter in = shell.outputWriter()) {
      String block = "";
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        log.append(line).append('\n');
        if (line.startsWith("@@begin ")) {
          block = line.substring(8);
          printed.put(block, "");
        } else if (line.startsWith("@@person ")) {
          visit(browser, line.substring(9));
          answer(in, "");
        } else {
          printed.merge(block, replaced(line, back) + "\n", String::concat);
          act(browser, line, in);
        }
      }
      shell.waitFor(60, TimeUnit.SECONDS);
    } finally {
      shell.descendants().forEach(ProcessHandle::destroy);
      shell.destroyForcibly();
    }
    printed.replaceAll((name, text) -> text.strip());
    return new Outcome(shell.waitFor(), printed, log + Files.readString(errors));
  }

  private String script(List<Mark> steps) {
    String commands =
        steps.stream()
            .map(
                step ->
                    step.kind() == Kind.PERSON
                        ? "echo; echo '@@person " + replaced(step.value(), ports) + "'\nread -r\n"
                        : "echo; echo '@@begin " + step.value() + "'\n" + replaced(step.text(), ports))
            .collect(Collectors.joining());
    return "set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" + commands;
  }

  private static String replaced(String text, Map<Integer, Integer> ports) {
    return PORT.matcher(text)
        .replaceAll(
            found -> {
              int port = Integer.parseInt(found.group(2));
              return Matcher.quoteReplacement(found.group(1) + ports.getOrDefault(port, port));
            });
  }

  /** {@code ./gatehouse}, which starts the built node; most commands end before the second compiler would pay. */
  private void launcher() throws IOException {
    List<String> command = new ArrayList<>(BuiltNode.command());
    command.add(1, "-XX:TieredStopAtLevel=1");
    String line = command.stream().map(part -> "'" + part.replace("'", "'\\''") + "'").collect(Collectors.joining(" "));
    Path file = home.resolve("gatehouse");
    Files.writeString(file, "#!/bin/bash\nexec " + line + " \"$@\"\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Opens an address that the commands print, as the reader would, and answers the shell that waits for it. */
  private static void act(PlainBrowser browser, String line, BufferedWriter in) throws IOException, InterruptedException {
    if (line.contains("/oauth/authorize?response_type=code")) {
      Shown page = go(browser, browser.open(line), "alice");
      Matcher code = CODE.matcher(page.body());
      if (!code.find()) {
        throw new IllegalStateException("no code on " + page.url() + ":\n" + page.body());
      }
      answer(in, code.group(1).replace("&amp;", "&"));
    } else if (line.contains("?user_code=")) {
      go(browser, browser.open(line), "alice");
      answer(in, "");
    }
  }

  private static void visit(PlainBrowser browser, String what) throws IOException, InterruptedException {
    Matcher person = PERSON.matcher(what);
    if (!person.matches()) {
      throw new IllegalStateException("not understood: " + what);
    }
    Shown page = go(browser, browser.open(person.group(2)), person.group(1));
    if (!page.body().contains(person.group(3))) {
      throw new IllegalStateException(what + ", but saw at " + page.url() + ":\n" + page.body());
    }
  }

  /** Logs in where that is asked for, hands messages on and allows what is asked, until a page has no form any more. */
  private static Shown go(PlainBrowser browser, Shown first, String name) throws IOException, InterruptedException {
    Shown page = first;
    for (int i = 0; i < 5 && page.body().contains("<form"); i++) {
      Form form = browser.form(page);
      if (form.fields().containsKey("password")) {
        form = form.with("username", name).with("password", "demo");
      } else if (page.body().contains("name=\"answer\"")) {
        form = form.with("answer", "allow");
      }
      page = browser.submit(page, form);
    }
    return page;
  }

  private static void answer(BufferedWriter in, String line) throws IOException {
    in.write(line + "\n");
    in.flush();
  }
}
