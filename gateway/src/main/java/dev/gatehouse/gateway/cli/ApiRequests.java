package dev.gatehouse.gateway.cli;

import dev.gatehouse.gateway.cli.ApiParameter.Place;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends the requests of one operation. */
final class ApiRequests {

  private static final String REVISIONS = "/admin/v1/revisions";
  private static final int OK = 200;

  private final NodeApi node;
  private final List<ApiOperation> all;
  private final ApiOperation operation;
  private final Map<String, String> values;

  /**
   * @param all every operation, among which the one that reads the present state is found
   * @param values by the names of parameters
   */
  ApiRequests(NodeApi node, List<ApiOperation> all, ApiOperation operation, Map<String, String> values) {
    this.node = node;
    this.all = all;
    this.operation = operation;
    this.values = Map.copyOf(values);
  }

  /**
   * Sends the request.
   *
   * @param page the beginning of the page; empty for the first or only one
   * @throws NodeCallFailed if there is no answer, or a success that is not the node's
   */
  HttpResponse<InputStream> send(Optional<byte[]> body, Optional<String> page) throws IOException {
    HttpRequest.Builder request = node.request(address(operation, page));
    body.ifPresent(content -> request.header("Content-Type", "application/json"));
    request.method(operation.method(), body.map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
    for (ApiParameter parameter : operation.parameters()) {
      String value = values.get(parameter.name());
      if (parameter.place() == Place.HEADER && value != null && !parameter.isIfMatch()) {
        request.header(parameter.name(), value);
      }
    }
    if (operation.hasIfMatch()) {
      ifMatch().ifPresent(tag -> request.header(ApiOperation.IF_MATCH, tag));
    }
    return sent(request.build());
  }

  private HttpResponse<InputStream> sent(HttpRequest request) {
    try {
      return node.send(request);
    } catch (NodeCallFailed e) {
      throw e.isUncertain() && !operation.method().equals("GET") ? e.with("The node may have done it all the same.") : e;
    }
  }

  /** Returns the entity tag of the option, else that of the present state. */
  private Optional<String> ifMatch() throws IOException {
    for (ApiParameter parameter : operation.parameters()) {
      String given = values.get(parameter.name());
      if (parameter.isIfMatch() && given != null) {
        return Optional.of(given.startsWith("\"") || given.startsWith("W/") ? given : "\"" + given + "\"");
      }
    }
    String above = operation.path().substring(0, operation.path().lastIndexOf('/'));
    // What is above has the tag of an entry that does not exist yet, or that a step is about, and needs no right in other realms.
    boolean ofRevision = operation.path().startsWith(REVISIONS);
    for (String path : ofRevision ? List.of(operation.path(), REVISIONS) : List.of(operation.path(), above, REVISIONS)) {
      Optional<ApiOperation> reading = all.stream().filter(one -> one.method().equals("GET") && one.path().equals(path)).findFirst();
      Optional<String> tag = reading.isPresent() ? tag(reading.get()) : Optional.empty();
      if (tag.isPresent()) {
        return tag;
      }
    }
    return Optional.empty();
  }

  private Optional<String> tag(ApiOperation reading) throws IOException {
    HttpResponse<InputStream> response = node.send(node.request(address(reading, Optional.empty())).build());
    try (InputStream body = response.body()) {
      body.skip(Long.MAX_VALUE);
      return response.statusCode() == OK ? response.headers().firstValue("ETag") : Optional.empty();
    }
  }

  private String address(ApiOperation asked, Optional<String> page) {
    String path = asked.path();
    for (ApiParameter parameter : asked.parameters()) {
      if (parameter.place() == Place.PATH) {
        path = path.replace("{" + parameter.name() + "}", NodeCall.encoded(values.getOrDefault(parameter.name(), "")));
      }
    }
    Stream<String> query =
        asked.parameters().stream()
            .filter(parameter -> parameter.place() == Place.QUERY)
            .filter(parameter -> page.isEmpty() || !asked.pageParameter().equals(Optional.of(parameter.name())))
            .flatMap(parameter -> Optional.ofNullable(values.get(parameter.name())).map(value -> pair(parameter.name(), value)).stream());
    Stream<String> from = page.flatMap(begin -> asked.pageParameter().map(name -> pair(name, begin))).stream();
    String together = Stream.concat(query, from).collect(Collectors.joining("&"));
    return together.isEmpty() ? path : path + "?" + together;
  }

  private static String pair(String name, String value) {
    return NodeCall.encoded(name) + "=" + NodeCall.encoded(value);
  }
}
