package dev.gatehouse.gateway.cli;

import dev.gatehouse.gateway.cli.ApiOperation.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command of one operation; its options are the operation's parameters. */
final class OperationCommand implements Callable<Integer> {

  private final ApiOperation operation;
  private final List<ApiOperation> all;
  private final NodeAccess access;
  private final InputStream in;
  private final Map<ApiParameter, OptionSpec> options = new LinkedHashMap<>();
  private final OptionSpec file =
      OptionSpec.builder("--file")
          .type(Path.class)
          .paramLabel("FILE")
          .description("The request's body, as JSON; - for standard input.")
          .build();
  private final OptionSpec pages = OptionSpec.builder("--all-pages").type(boolean.class).description("All pages, not only one.").build();
  private final OptionSpec output =
      OptionSpec.builder("--output")
          .type(ResponseOutput.Form.class)
          .paramLabel("FORM")
          .description("TABLE or JSON; a table cuts long values. Default: TABLE.")
          .build();
  private final CommandSpec spec;

  /** @param in where {@code --file -} reads from */
  OperationCommand(ApiOperation operation, List<ApiOperation> all, NodeAccess access, InputStream in) {
    this.operation = operation;
    this.all = all;
    this.access = access;
    this.in = in;
    operation.parameters().forEach(parameter -> options.put(parameter, option(parameter)));
    this.spec = CommandSpec.wrapWithoutInspection(this).name(operation.verb()).mixinStandardHelpOptions(true);
    spec.usageMessage()
        .description(escaped(operation.summary()) + ".")
        .footer("", escaped(operation.method() + " " + operation.path() + operation.role().map(", needs the role "::concat).orElse("")));
    options.values().forEach(spec::addOption);
    if (operation.body() != Body.NONE) {
      spec.addOption(operation.body() == Body.REQUIRED ? file.toBuilder().required(true).build() : file);
    }
    if (operation.pageParameter().isPresent()) {
      spec.addOption(pages);
    }
    spec.addOption(output);
    spec.addMixin("node", CommandSpec.forAnnotatedObject(access));
  }

  CommandSpec spec() {
    return spec;
  }

  private static OptionSpec option(ApiParameter parameter) {
    String label = parameter.values().isEmpty() ? "VALUE" : String.join("|", parameter.values());
    OptionSpec.Builder option = OptionSpec.builder(parameter.option()).required(parameter.required() && !parameter.isIfMatch());
    switch (parameter.type()) {
      case TEXT -> option.type(String.class).paramLabel(label);
      case INTEGER -> option.type(Long.class).paramLabel("NUMBER");
      case BOOLEAN -> option.type(Boolean.class).paramLabel("true|false").arity("0..1").fallbackValue("true");
    }
    if (!parameter.values().isEmpty()) {
      option.completionCandidates(parameter.values());
    }
    return option.description(escaped(description(parameter))).build();
  }

  private static String description(ApiParameter parameter) {
    String preset = parameter.preset().map(value -> " Default: " + value + ".").orElse("");
    if (parameter.isIfMatch()) {
      return "The entity tag that the change was made for; unless given, the present one when the command starts.";
    }
    return (parameter.description().isEmpty() ? parameter.name() : parameter.description()) + "." + preset;
  }

  /** Escapes what picocli replaces. */
  static String escaped(String text) {
    return text.replace("%", "%%").replace("${", "$${");
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    Map<String, String> values = values();
    Optional<byte[]> body = body();
    ResponseOutput.Form form = this.<ResponseOutput.Form>value("--output").orElse(ResponseOutput.Form.TABLE);
    try (NodeApi node = access.open()) {
      ApiRequests requests = new ApiRequests(node, all, operation, values);
      ResponseOutput to = new ResponseOutput(spec.commandLine().getOut(), err, form);
      boolean succeeds = value("--all-pages").isPresent() ? everyPage(requests, to) : one(requests, to, body);
      return succeeds ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (IncompleteAnswer e) {
      err.println(e.getMessage());
      return ExitCode.SOFTWARE;
    } catch (IOException e) {
      err.println(SafeText.line("The node gives no answer: " + Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName())));
      return ExitCode.SOFTWARE;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), SafeText.line(String.valueOf(e.getMessage())), e);
    }
  }

  private boolean one(ApiRequests requests, ResponseOutput to, Optional<byte[]> body) throws IOException {
    HttpResponse<InputStream> response = requests.send(body, Optional.empty());
    to.print(response)
        .filter(page -> operation.pageParameter().isPresent() && page.path("next").isString())
        .ifPresent(page -> sayMore(page.path("next").asString()));
    return ResponseOutput.isSuccess(response);
  }

  private void sayMore(String next) {
    String option = "--" + operation.pageParameter().orElseThrow() + "='" + SafeText.line(next) + "'";
    spec.commandLine().getErr().println("There are more: use --all-pages, or " + option + ".");
  }

  private boolean everyPage(ApiRequests requests, ResponseOutput to) throws IOException {
    ResponseOutput.Pages printed = to.new Pages();
    Optional<String> page = Optional.empty();
    do {
      HttpResponse<InputStream> response = requests.send(Optional.empty(), page);
      if (!ResponseOutput.isSuccess(response)) {
        to.print(response);
        return false;
      }
      page = printed.print(response);
    } while (page.isPresent());
    printed.end();
    return true;
  }

  private Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    options.forEach(
        (parameter, option) -> {
          Optional<Object> value = value(option.longestName());
          value.map(Object::toString).ifPresent(text -> values.put(parameter.name(), checked(parameter, text)));
        });
    return values;
  }

  private String checked(ApiParameter parameter, String value) {
    if (!parameter.values().isEmpty() && !parameter.values().contains(value)) {
      throw new ParameterException(spec.commandLine(), parameter.option() + " is one of " + String.join(", ", parameter.values()) + ".");
    }
    if (parameter.place() == ApiParameter.Place.PATH && value.isEmpty()) {
      throw new ParameterException(spec.commandLine(), parameter.option() + " is empty.");
    }
    return value;
  }

  private Optional<byte[]> body() throws IOException {
    Optional<Path> from = value("--file");
    if (from.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(from.get().equals(Path.of("-")) ? in.readAllBytes() : GivenFile.bytes(spec.commandLine(), from.get()));
  }

  private <T> Optional<T> value(String option) {
    ParseResult parsed = spec.commandLine().getParseResult();
    return parsed.hasMatchedOption(option) ? Optional.ofNullable(parsed.matchedOptionValue(option, null)) : Optional.empty();
  }
}
