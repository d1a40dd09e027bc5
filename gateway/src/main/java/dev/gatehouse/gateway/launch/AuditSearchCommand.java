package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.cli.AnswerLines;
import dev.gatehouse.gateway.cli.IncompleteAnswer;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse audit search}. */
@Command(
    name = "search",
    mixinStandardHelpOptions = true,
    description = "Print events of the running node's audit log, the newest first, one a line.")
final class AuditSearchCommand implements Callable<Integer> {

  /** The format of lines. */
  enum Format {
    JSONL,
    CEF
  }

  @Mixin private ConfigurationOption where = new ConfigurationOption();

  @Option(names = "--person", paramLabel = "ID", description = "The person's id, or the user name as it was typed.")
  private Optional<String> person = Optional.empty();

  @Option(names = "--partner", paramLabel = "ID", description = "Entity ID of the partner, or ID of the OAuth client.")
  private Optional<String> partner = Optional.empty();

  @Option(names = "--client", paramLabel = "ID", description = "ID of the OAuth client.")
  private Optional<String> client = Optional.empty();

  @Option(names = "--request-id", paramLabel = "ID", description = "The reference of an error page.")
  private Optional<String> requestId = Optional.empty();

  @Option(names = "--reason", paramLabel = "CODE", description = "A reason of a refusal.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--address", paramLabel = "IP", description = "The client's address.")
  private Optional<String> address = Optional.empty();

  @Option(names = "--event", paramLabel = "NAME", description = "The kind of event.")
  private Optional<String> event = Optional.empty();

  @Option(names = "--realm", paramLabel = "NAME", description = "The realm; - for the node itself.")
  private Optional<String> realm = Optional.empty();

  @Option(names = "--from", paramLabel = "TIME", description = "The oldest event, like 2026-11-23T17:00:00Z; default: a day before --to.")
  private Optional<String> from = Optional.empty();

  @Option(names = "--to", paramLabel = "TIME", description = "A time after the newest event; default: now.")
  private Optional<String> to = Optional.empty();

  @Option(names = "--limit", paramLabel = "NUMBER", description = "Maximum number of events; 0: all. Default: ${DEFAULT-VALUE}.")
  private int limit = 100;

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES}: lines of JSON, or Common Event Format. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.JSONL;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Node node = ConfigurationOption.loadNode(where.folder()).node();
    if (!NodeConnection.isServed(node)) {
      throw new StartRefused("No node answers: start it, or search its files with grep.");
    }
    try (NodeApi api = NodeConnection.open(node, keyFile.key(), "audit-")) {
      return print(api.stream("/admin/v1/audit?" + query()));
    }
  }

  private String query() {
    Map<String, Optional<String>> parameters = new LinkedHashMap<>();
    parameters.put("person", person);
    parameters.put("partner", partner);
    parameters.put("client", client);
    parameters.put("requestId", requestId);
    parameters.put("reason", reason);
    parameters.put("address", address);
    parameters.put("event", event);
    parameters.put("realm", realm);
    parameters.put("from", from);
    parameters.put("to", to);
    parameters.put("limit", limit == 0 ? Optional.empty() : Optional.of(String.valueOf(limit)));
    parameters.put("format", Optional.of(format == Format.CEF ? "cef" : "jsonl"));
    return parameters.entrySet().stream()
        .flatMap(one -> one.getValue().map(value -> one.getKey() + "=" + NodeCall.encoded(value)).stream())
        .collect(Collectors.joining("&"));
  }

  private int print(HttpResponse<InputStream> response) throws IOException {
    try {
      AnswerLines.print(response, spec.commandLine().getOut());
      return ExitCode.OK;
    } catch (IncompleteAnswer e) {
      spec.commandLine().getErr().println(e.getMessage());
      return ExitCode.SOFTWARE;
    }
  }
}
