package dev.gatehouse.gateway.launch;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.trace.RequestTrace;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Configures the log: one line per event, to standard error, or to standard output if the property {@code gatehouse.log.target} (or its
 * environment variable) says {@code stdout}; commands print their results there. The lines are text with control characters escaped, or
 * JSON if Spring Boot's property {@code logging.structured.format.console} (or its environment variable) says {@code ecs}, {@code
 * gelf} or {@code logstash}. Logback finds it as a service; it is written in Java because reading a configuration file would take a
 * tenth of a second of every start.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {

  private static final String FORMAT = "logging.structured.format.console";
  private static final String VARIABLE = "LOGGING_STRUCTURED_FORMAT_CONSOLE";
  private static final String TARGET = "gatehouse.log.target";
  private static final String TARGET_VARIABLE = "GATEHOUSE_LOG_TARGET";

  @Override
  public ExecutionStatus configure(LoggerContext logs) {
    // Read without Spring, whose environment takes time and logs before there is a log; SLF4J warns of that.
    Optional<String> format =
        Optional.ofNullable(System.getProperty(FORMAT, System.getenv(VARIABLE))).filter(name -> !name.isBlank());
    Optional<RuntimeException> unknown = Optional.empty();
    Encoder<ILoggingEvent> encoder;
    try {
      encoder = format.isPresent() ? structured(logs, format.get()) : text(logs);
    } catch (RuntimeException e) {
      unknown = Optional.of(e);
      encoder = text(logs);
    }
    boolean toOutput = "stdout".equals(System.getProperty(TARGET, System.getenv(TARGET_VARIABLE)));
    ConsoleAppender<ILoggingEvent> console = new RequestConsole();
    console.setContext(logs);
    console.setTarget(toOutput ? "System.out" : "System.err");
    console.setEncoder(encoder);
    console.start();
    Logger root = logs.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(console);
    logs.getLogger("dev.gatehouse").setLevel(Level.INFO);
    // Flyway warns at every start that it does not know this version of H2 yet; our tests cover it.
    logs.getLogger("org.flywaydb.core.internal.database.base.Database").setLevel(Level.ERROR);
    // The reason why a context could not start is logged once, at the end.
    logs.getLogger(AnnotationConfigApplicationContext.class.getName()).setLevel(Level.ERROR);
    logs.getLogger(AnnotationConfigServletWebServerApplicationContext.class.getName()).setLevel(Level.ERROR);
    // Any client may request a page that does not exist; this is not worth a line.
    logs.getLogger("org.springframework.web.servlet.PageNotFound").setLevel(Level.ERROR);
    unknown.ifPresent(
        e -> logs.getLogger(LogConfigurator.class).error("{}: {}. The log is written as text.", FORMAT, e.getMessage()));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Returns the environment of Spring Boot's formats: system properties, variables, and the name of the service. */
  private static Environment environment() {
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> service =
        Map.of(
            "logging.structured.ecs.service.name", "gatehouse",
            "logging.structured.ecs.service.version", BuildVersion.number(),
            "logging.structured.gelf.host", "gatehouse",
            "logging.structured.gelf.service.version", BuildVersion.number());
    environment.getPropertySources().addLast(new MapPropertySource("gatehouse", service));
    return environment;
  }

  private static Encoder<ILoggingEvent> structured(LoggerContext logs, String format) {
    logs.putObject(Environment.class.getName(), environment());
    StructuredLogEncoder encoder = new StructuredLogEncoder();
    encoder.setContext(logs);
    encoder.setFormat(format);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext logs) {
    Line line = new Line();
    line.setContext(logs);
    line.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(logs);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(line);
    encoder.start();
    return encoder;
  }

  /** Adds the ids of the request and of its trace to each event, under the names of the Elastic Common Schema. */
  private static final class RequestConsole extends ConsoleAppender<ILoggingEvent> {
    private static final String REQUEST = "http.request.id";
    private static final String TRACE = "trace.id";

    @Override
    protected void append(ILoggingEvent event) {
      Optional<String> request = RequestId.current();
      if (request.isPresent() && event instanceof LoggingEvent own) {
        String trace = RequestTrace.current().traceId();
        own.setMDCPropertyMap(
            trace.isEmpty() ? Map.of(REQUEST, request.get()) : Map.of(REQUEST, request.get(), TRACE, trace));
      }
      super.append(event);
    }
  }

  /** {@code 2026-11-21T10:00:00.123Z INFO  netty.GatewayServer: listening on ...}. */
  static final class Line extends LayoutBase<ILoggingEvent> {
    private static final String OURS = "dev.gatehouse.";

    @Override
    public String doLayout(ILoggingEvent event) {
      StringBuilder line = new StringBuilder(160);
      line.append(Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS)).append(' ');
      line.append(String.format("%-5s ", event.getLevel()));
      String logger = event.getLoggerName();
      line.append(logger.startsWith(OURS) ? logger.substring(OURS.length()) : logger).append(": ");
      escape(event.getFormattedMessage(), line);
      line.append('\n');
      if (event.getThrowableProxy() != null) {
        // Stack frames are safe, but the messages between them may contain control characters. Indented lines look like no event.
        ThrowableProxyUtil.asString(event.getThrowableProxy())
            .lines()
            .forEach(frame -> escape(frame.replace("\t", "  "), line.append("  ")).append('\n'));
      }
      return line.toString();
    }

    private static StringBuilder escape(String text, StringBuilder line) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
          line.append(String.format("\\u%04x", (int) c));
        } else {
          line.append(c);
        }
      }
      return line;
    }
  }
}
