package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine;

/** A file that a command line names: what is wrong with it is a mistake of who typed it, and is said in a sentence. */
final class GivenFile {

  private GivenFile() {}

  /** Returns the text of the file, in UTF-8. */
  static String text(CommandLine line, Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw mistake(line, "There is no file " + file + ".");
    } catch (AccessDeniedException e) {
      throw mistake(line, file + " may not be read by this user.");
    } catch (CharacterCodingException e) {
      throw mistake(line, file + " is no text in UTF-8: save it so, for example by iconv -f windows-1252 -t utf-8.");
    } catch (IOException e) {
      throw mistake(line, file + " cannot be read: " + e.getMessage());
    }
  }

  private static CommandLine.ParameterException mistake(CommandLine line, String sentence) {
    return new CommandLine.ParameterException(line, SafeText.line(sentence));
  }
}
