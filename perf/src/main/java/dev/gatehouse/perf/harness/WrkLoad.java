package dev.gatehouse.perf.harness;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Repeats one GET, or prepared requests, with wrk: one thread for all connections, which is cheap enough to leave a second core to
 * the server. A busy thread is not woken for each response, as callers with threads of their own are.
 */
public final class WrkLoad extends Load {

  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s)");
  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in (\\S+),");
  private static final Pattern WRONG = Pattern.compile("(?m)^ *(Non-2xx or 3xx responses: \\d+|Socket errors: .*)$");

  private final List<String> command;
  private final String url;
  private final Optional<Path> script;

  /** @param fields header fields, for example {@code Cookie: a=b} */
  public WrkLoad(Server server, String row, String url, int connections, List<String> fields) {
    this(server, row, url, connections, fields, Optional.empty());
  }

  private WrkLoad(Server server, String row, String url, int connections, List<String> fields, Optional<Path> script) {
    super(server, row);
    this.url = url;
    this.script = script;
    this.command = new ArrayList<>(List.of("wrk", "-t1", "-c" + connections, "--latency"));
    fields.forEach(field -> command.addAll(List.of("-H", field)));
    script.ifPresent(file -> command.addAll(List.of("-s", file.toString())));
  }

  /**
   * Sends complete requests in turn. Of the responses only the status is looked at.
   *
   * @param requests in US-ASCII, each with its body
   */
  public static WrkLoad ofRequests(Server server, String row, URI url, int connections, List<String> requests) throws IOException {
    Path script = Files.createTempFile("gatehouse-bench", ".lua");
    Files.writeString(script, script(requests), StandardCharsets.US_ASCII);
    return new WrkLoad(server, row, url.toString(), connections, List.of(), Optional.of(script));
  }

  /** A program in Lua, which wrk asks for each request. */
  static String script(List<String> requests) {
    String strings = requests.stream().map(WrkLoad::quoted).collect(Collectors.joining(",\n"));
    return "local requests = {\n" + strings + "}\nlocal sent = 0\nfunction request()\n  sent = sent + 1\n"
        + "  return requests[(sent - 1) % #requests + 1]\nend\n";
  }

  private static String quoted(String text) {
    StringBuilder lua = new StringBuilder("\"");
    text.chars().forEach(character -> {
      if (character < ' ' || character == '"' || character == '\\') {
        lua.append('\\').append("%03d".formatted(character));
      } else {
        lua.append((char) character);
      }
    });
    return lua.append('"').toString();
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException {
    List<String> complete = new ArrayList<>(command);
    complete.addAll(List.of("-d" + seconds + "s", url));
    List<Iteration.Cost> before = server().costs();
    String output = Commands.output(complete);
    Matcher total = TOTAL.matcher(output);
    if (!total.find() || WRONG.matcher(output).find()) {
      throw new IOException("wrk at " + server().name() + ", " + url + ":\n" + output);
    }
    long operations = Long.parseLong(total.group(1));
    double mean = latency("Latency", output);
    Iteration.Step step =
        new Iteration.Step(
            row(), operations, 0, mean, latency("50%", output), 0, latency("99%", output), 0);
    return iteration(phase, millis(total.group(2)) / 1000, operations, List.of(step), before);
  }

  private static double latency(String name, String output) {
    Matcher matcher = Pattern.compile("(?m)^\\s+" + name + "\\s+(\\d\\S+)").matcher(output);
    return matcher.find() ? millis(matcher.group(1)) : 0;
  }

  private static double millis(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new IllegalArgumentException("no time: " + text);
    }
    double number = Double.parseDouble(time.group(1));
    return switch (time.group(2)) {
      case "us" -> number / 1000;
      case "ms" -> number;
      case String seconds -> number * 1000;
    };
  }

  @Override
  public void close() throws IOException {
    if (script.isPresent()) {
      Files.deleteIfExists(script.get());
    }
  }
}
