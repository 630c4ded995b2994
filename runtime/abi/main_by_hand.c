/* main for programs that are linked by hand, without --wrap=main. */

int main (int argc, char **argv, char **envp);
int __wrap_main (int argc, char **argv, char **envp);

int
main (int argc, char **argv, char **envp)
{
  return __wrap_main (argc, argv, envp);
}
