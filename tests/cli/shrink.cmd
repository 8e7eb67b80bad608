# The smallest run that hangs alike.
orrery run cholesky --tiles 22 --cpus 0 --gpu-memory 60MiB --token token 2>err; echo "=> $?"
orrery shrink @token --budget 100
orrery shrink @token --format json >shrunk; cat shrunk
sed -n 's/.*"token": "\(.*\)".*/\1/p' shrunk | orrery replay - 2>&1 | head -n 1
orrery shrink - --budget 20 --format csv <token
# What cannot be shrunk.
orrery run cholesky --tiles 3 --token token >out; orrery shrink @token
orrery shrink @nowhere
orrery shrink orr1-AAAA
orrery shrink @token --budget 0
orrery replay @token --gdb=1
